// The rule, and one kernel (detail/planar_signs.hpp) on vectors of 2, 4 or 8 numbers for SSE2, AVX2 and AVX-512.
#include "painleve/modes/planar_verdicts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace painleve {
namespace {

// ---- the rule

// The rule of the mode table, on numbers.
bool same_motion(const PlanarForce& x, const PlanarForce& y, double b, double W) {
  const auto norm = [](double t, double n) { return std::sqrt(t * t + n * n); };
  const double response = W * std::max(norm(x.lambda_t, x.lambda_n), norm(y.lambda_t, y.lambda_n));
  return norm(x.a_t - y.a_t, x.a_n - y.a_n) <=
         1e-9 * std::max({norm(x.a_t, x.a_n), norm(y.a_t, y.a_n), b}) + 1e-14 * response;
}

bool finite(const PlanarForce& f) {
  return std::isfinite(f.lambda_n) && std::isfinite(f.lambda_t) && std::isfinite(f.a_t);
}

// ---- the signs

// Sizes within which no quotient of two of the decisive numbers leaves the range of double precision.
constexpr double largest_input = 1e50, smallest_decisive = 1e-100;
constexpr double rounding = 4 * std::numeric_limits<double>::epsilon();  // of or_zero()

#if defined(__x86_64__)

namespace baseline {
#define PAINLEVE_LANES 2
#define PAINLEVE_TARGET
#define PAINLEVE_ANY(x) (_mm_movemask_pd((__m128d)(x)) != 0)
#include "painleve/modes/detail/planar_signs.hpp"
#undef PAINLEVE_LANES
#undef PAINLEVE_TARGET
#undef PAINLEVE_ANY
}  // namespace baseline

namespace avx2 {
#define PAINLEVE_LANES 4
#define PAINLEVE_TARGET __attribute__((target("avx2")))
#define PAINLEVE_ANY(x) (_mm256_movemask_pd((__m256d)(x)) != 0)
#include "painleve/modes/detail/planar_signs.hpp"
#undef PAINLEVE_LANES
#undef PAINLEVE_TARGET
#undef PAINLEVE_ANY
}  // namespace avx2

namespace avx512 {
#define PAINLEVE_LANES 8
#define PAINLEVE_TARGET __attribute__((target("avx512f,avx512dq,avx512bw,avx512vl")))
#define PAINLEVE_ANY(x) (_mm512_movepi64_mask((__m512i)(x)) != 0)
#include "painleve/modes/detail/planar_signs.hpp"
#undef PAINLEVE_LANES
#undef PAINLEVE_TARGET
#undef PAINLEVE_ANY
}  // namespace avx512

#else

namespace baseline {
#define PAINLEVE_LANES 2
#define PAINLEVE_TARGET
#define PAINLEVE_ANY(x) (((x)[0] | (x)[1]) != 0)
#include "painleve/modes/detail/planar_signs.hpp"
#undef PAINLEVE_LANES
#undef PAINLEVE_TARGET
#undef PAINLEVE_ANY
}  // namespace baseline

#endif

}  // namespace

VerdictByte planar_verdict(const PlanarModes& m, double b, double W) {
  if (m.degenerate) return undecided;
  const std::array<const PlanarForce*, 4> forces = {&m.free, &m.stick, &m.slip_plus, &m.slip_minus};
  const std::array<unsigned, 4> bits = {mode_F, mode_T, mode_S_plus, mode_S_minus};
  const PlanarForce* first = nullptr;
  auto motions = Motions::none;
  for (std::size_t k = 0; k < 4; ++k) {
    if ((m.consistent & bits[k]) == 0) continue;
    if (!finite(*forces[k])) return undecided;
    if (first == nullptr) {
      first = forces[k];
      motions = Motions::one;
    } else if (!same_motion(*first, *forces[k], b, W)) {
      motions = Motions::several;
    }
  }
  return verdict_byte(m.consistent, motions);
}

VerdictByte planar_verdict(const PlanarContact& c) {
  const double W = std::sqrt((c.W_tt * c.W_tt + c.W_tn * c.W_tn) + (c.W_tn * c.W_tn + c.W_nn * c.W_nn));
  return planar_verdict(planar_modes(c), std::sqrt(c.b_t * c.b_t + c.b_n * c.b_n), W);
}

#if defined(__x86_64__)

bool available(InstructionSet set) {
  if (set == InstructionSet::avx512)
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
  return set == InstructionSet::baseline || __builtin_cpu_supports("avx2");
}

void decide_by_signs(const PlanarContacts& contacts, std::span<VerdictByte> bytes, InstructionSet set) {
  if (set == InstructionSet::avx512) return avx512::decide_all(contacts, bytes);
  if (set == InstructionSet::avx2) return avx2::decide_all(contacts, bytes);
  baseline::decide_all(contacts, bytes);
}

#else

bool available(InstructionSet set) { return set == InstructionSet::baseline; }

void decide_by_signs(const PlanarContacts& contacts, std::span<VerdictByte> bytes, InstructionSet) {
  baseline::decide_all(contacts, bytes);
}

#endif

InstructionSet best_instruction_set() {
  static const InstructionSet best = available(InstructionSet::avx512) ? InstructionSet::avx512
                                     : available(InstructionSet::avx2) ? InstructionSet::avx2
                                                                       : InstructionSet::baseline;
  return best;
}

std::size_t next_undecided(std::span<const VerdictByte> bytes, std::size_t from) {
  if (from >= bytes.size()) return bytes.size();
  const void* found = std::memchr(bytes.data() + from, undecided, bytes.size() - from);
  return found == nullptr ? bytes.size()
                          : static_cast<std::size_t>(static_cast<const VerdictByte*>(found) - bytes.data());
}

void planar_verdicts(const PlanarContacts& contacts, std::span<VerdictByte> bytes, InstructionSet set) {
  decide_by_signs(contacts, bytes, set);
  for (std::size_t i = next_undecided(bytes, 0); i < bytes.size(); i = next_undecided(bytes, i + 1))
    bytes[i] = planar_verdict(contacts[i]);
}

}  // namespace painleve
