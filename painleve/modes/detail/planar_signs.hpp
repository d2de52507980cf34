// The kernel of planar_verdicts.cpp, included once per instruction set: there PAINLEVE_LANES is the number of lanes,
// PAINLEVE_TARGET what the compiler has to be told of each function, PAINLEVE_ANY(x) whether any lane of a mask is set.
// Functions carry the set themselves and are no templates: a compiler splits vectors that are wider than a function's
// own set before it inlines that function.
//
// It uses nothing but +, −, ×, comparisons and bit operations, which every instruction set rounds alike; the build
// forbids contraction to fused operations.
#define PAINLEVE_INLINE [[gnu::always_inline]] PAINLEVE_TARGET inline

using Numbers __attribute__((vector_size(8 * PAINLEVE_LANES))) = double;
using Mask __attribute__((vector_size(8 * PAINLEVE_LANES))) = std::int64_t;  // a comparison: all bits set, or none
using Bytes __attribute__((vector_size(PAINLEVE_LANES))) = VerdictByte;

PAINLEVE_INLINE Numbers load(const double* from) {
  Numbers x;
  std::memcpy(&x, from, sizeof x);
  return x;
}
PAINLEVE_INLINE Numbers abs(const Numbers& x) { return (Numbers)((Mask)x & std::numeric_limits<std::int64_t>::max()); }
PAINLEVE_INLINE Numbers or_zero(const Numbers& x, const Numbers& size) {
  return (Numbers)((Mask)x & (abs(x) > rounding * size));
}
PAINLEVE_INLINE Numbers sum_or_zero(const Numbers& a, const Numbers& b) { return or_zero(a + b, abs(a) + abs(b)); }
// Signs of products: within largest_input and smallest_decisive none is too small to have one.
PAINLEVE_INLINE Mask opposite(const Numbers& x, const Numbers& y) { return x * y < 0; }
PAINLEVE_INLINE Mask alike(const Numbers& x, const Numbers& y) { return x * y > 0; }
PAINLEVE_INLINE Mask too_small(const Numbers& x) { return (abs(x) < smallest_decisive) & (x != 0); }

struct States {
  Numbers W_tt, W_tn, W_nn, b_t, b_n, u_t, mu;
  Numbers coupling, grip, abs_W_tn, abs_coupling, abs_b_t, abs_b_n, W_sum;
  double b_error;
  Mask doubtful;    // the rule is to be asked
  Mask consistent;  // bits of modes
  Mask several;     // more than one motion
};

PAINLEVE_INLINE void read(const PlanarContacts& c, std::size_t i, States& x) {
  x.W_tt = load(c.W_tt + i);
  x.W_tn = load(c.W_tn + i);
  x.W_nn = load(c.W_nn + i);
  x.b_t = load(c.b_t + i);
  x.b_n = load(c.b_n + i);
  x.u_t = load(c.u_t + i);
  x.mu = load(c.mu + i);
  x.b_error = c.b_error;
  x.coupling = x.mu * x.W_tn;
  x.grip = x.mu * x.W_tt;
  x.abs_W_tn = abs(x.W_tn);
  x.abs_coupling = abs(x.coupling);
  x.abs_b_t = abs(x.b_t);
  x.abs_b_n = abs(x.b_n);
  x.W_sum = (abs(x.W_tt) + 2 * x.abs_W_tn) + abs(x.W_nn);
  const Numbers inputs = (x.W_sum + abs(x.mu)) + (x.abs_b_t + x.abs_b_n);
  x.doubtful = ~(inputs <= largest_input) | too_small(x.b_n) | (x.abs_b_n <= x.b_error);
  x.consistent = (x.b_n >= 0) & std::int64_t{mode_F};
  x.several = Mask{};
}

// Of F and a slip with these p and k, where both are consistent. |p| times the difference of their accelerations is
// |b_n (k, p)|: against the bounds of the rule, ten times over, and the rounding of what the rule computes.
PAINLEVE_INLINE Mask far_apart(const States& x, const Numbers& p, const Numbers& k) {
  const Numbers abs_p = abs(p), abs_k = abs(k);
  const Numbers size = x.abs_b_t * (abs(x.W_nn) + x.abs_coupling) + x.abs_b_n * (abs(x.grip) + x.abs_W_tn);
  const Numbers apart = 0.5 * (x.abs_b_n * (abs_p + abs_k)) - 1e-14 * size;
  const Numbers bound = 1e-8 * (abs_p * (2 * x.abs_b_t + x.abs_b_n) + x.abs_b_n * abs_k) +
                        1e-13 * (x.W_sum * (x.abs_b_n * (1 + abs(x.mu))));
  return apart > bound;
}

PAINLEVE_INLINE void slip(const Mask& where, States& x) {
  const Mask plus = x.u_t > 0;
  const Mask flip = ~plus & std::numeric_limits<std::int64_t>::min();  // the sign of slip along −t
  const Numbers p = sum_or_zero(x.W_nn, (Numbers)((Mask)-x.coupling ^ flip));
  const Mask slips = where & opposite(x.b_n, p);
  x.doubtful |= where & (too_small(p) | ((p == 0) & (x.b_n == 0)));
  x.consistent |= slips & ((plus & std::int64_t{mode_S_plus}) | (~plus & std::int64_t{mode_S_minus}));
  const Mask both = slips & (x.b_n >= 0);
  if (!PAINLEVE_ANY(both)) return;
  const Numbers k = sum_or_zero(x.grip, (Numbers)((Mask)-x.W_tn ^ flip));
  const Mask apart = far_apart(x, p, k);
  x.several |= both & apart;
  x.doubtful |= both & ~apart;
}

PAINLEVE_INLINE void rest(const Mask& where, States& x) {
  const Numbers p_plus = sum_or_zero(x.W_nn, -x.coupling), p_minus = sum_or_zero(x.W_nn, x.coupling);
  const Numbers k_plus = sum_or_zero(x.grip, -x.W_tn), k_minus = sum_or_zero(x.grip, x.W_tn);
  const Numbers D = sum_or_zero(x.W_tt * x.W_nn, -x.W_tn * x.W_tn);
  const Numbers size = x.abs_b_t * (x.W_nn + x.abs_coupling) + x.abs_b_n * (x.grip + x.abs_W_tn);
  const Numbers s_plus = or_zero(x.b_t * p_plus + x.b_n * k_plus, size);
  const Numbers s_minus = or_zero(x.b_t * p_minus - x.b_n * k_minus, size);
  const Numbers stick = sum_or_zero(x.W_tn * x.b_t, -x.W_tt * x.b_n);  // D λ_n
  const Mask S_plus = opposite(x.b_n, p_plus) & alike(s_plus, p_plus);
  const Mask S_minus = opposite(x.b_n, p_minus) & opposite(s_minus, p_minus);
  const Mask T = (D > 0) & (stick > 0) & (s_plus <= 0) & (s_minus >= 0);
  const Numbers s_error = x.b_error * ((abs(x.W_nn) + x.abs_coupling) + (abs(x.grip) + x.abs_W_tn));
  Mask doubt = ~(D >= smallest_decisive) | (((p_plus == 0) | (p_minus == 0)) & (x.b_n == 0));
  doubt |= too_small(p_plus) | too_small(p_minus);
  doubt |= too_small(s_plus) | too_small(s_minus) | too_small(stick);
  doubt |= (abs(s_plus) <= s_error) | (abs(s_minus) <= s_error);
  doubt |= abs(stick) <= x.b_error * (x.abs_W_tn + abs(x.W_tt));
  // Several motions have F among them: for b_n < 0 the three others exclude each other, but for rounding.
  doubt |= ((S_plus & S_minus) | (S_plus & T) | (S_minus & T)) & (x.b_n < 0);
  x.doubtful |= where & doubt;
  x.consistent |= where & ((S_plus & std::int64_t{mode_S_plus}) | (S_minus & std::int64_t{mode_S_minus}) |
                           (T & std::int64_t{mode_T}));
  const Mask with_F = where & (S_plus | S_minus | T) & (x.b_n >= 0);
  if (!PAINLEVE_ANY(with_F)) return;
  const Mask apart = (S_plus & far_apart(x, p_plus, k_plus)) | (S_minus & far_apart(x, p_minus, k_minus)) |
                     (T & (D > 1e-11 * (x.W_sum * x.W_sum)));
  x.several |= with_F & apart;
  x.doubtful |= with_F & ~apart;
}

PAINLEVE_INLINE void decide(const PlanarContacts& c, std::size_t i, VerdictByte* to) {
  States x;
  read(c, i, x);
  const Mask slips = (x.u_t > 0) | (x.u_t < 0), rests = x.u_t == 0;
  x.doubtful |= ~(slips | rests);
  if (PAINLEVE_ANY(slips)) slip(slips, x);
  if (PAINLEVE_ANY(rests)) rest(rests, x);
  const Mask none = (x.consistent == 0) & std::int64_t{verdict_byte(0, Motions::none)};
  const Mask several = x.several & std::int64_t{verdict_byte(0, Motions::several)};
  const Mask numbers = (x.consistent | none | several | x.doubtful) & 0xff;
  const auto bytes = __builtin_convertvector(numbers, Bytes);
  std::memcpy(to, &bytes, sizeof bytes);
}

PAINLEVE_TARGET inline void decide_all(const PlanarContacts& c, std::span<VerdictByte> bytes) {
  constexpr std::size_t lanes = PAINLEVE_LANES;
  const std::size_t whole = bytes.size() / lanes * lanes;
  for (std::size_t i = 0; i < whole; i += lanes) decide(c, i, bytes.data() + i);
  const std::size_t left = bytes.size() - whole;
  if (left == 0) return;
  double end[7][lanes] = {};  // filled up with contacts that are at rest and left to the rule
  VerdictByte decided[lanes];
  const double* const from[7] = {c.W_tt, c.W_tn, c.W_nn, c.b_t, c.b_n, c.u_t, c.mu};
  for (std::size_t k = 0; k < 7; ++k) std::memcpy(end[k], from[k] + whole, left * sizeof(double));
  decide({end[0], end[1], end[2], end[3], end[4], end[5], end[6], c.b_error}, 0, decided);
  std::memcpy(bytes.data() + whole, decided, left);
}

#undef PAINLEVE_INLINE
