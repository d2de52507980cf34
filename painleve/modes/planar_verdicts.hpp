// Verdict and consistent modes of very many planar contacts, one byte each: the kernel of maps.
//
// Which modes are consistent is a matter of signs: with p, s±, D and the numerator of the sticking force as
// planar_modes() computes them,
//
//   F  b_n ≥ 0                S+ at slip along +t   b_n p+ < 0          S- likewise with p-
//   at rest   S+  b_n p+ < 0 and s+ p+ > 0,   S-  b_n p- < 0 and s- p- < 0,   T  D > 0, numerator > 0, s+ ≤ 0 ≤ s-
//
// so that no force is computed and nothing is divided. The numbers are those of planar_modes(), sums of the same
// products in the same order, hence the same bits in every lane; what the signs do not tell is left undecided and goes
// to planar_verdict(), the rule itself: degenerate contacts, two motions that are nearly one, and numbers so large or
// so small that a force might leave the range of double precision. So a byte never depends on the instruction set
// (planar_verdicts_test.cpp: every set of the machine against the rule, bit for bit).
//
// The least work: seven numbers are read (56 bytes) and one byte is written; of a slipping contact the physics is two
// operations, p = W_nn ∓ μ W_tn, and three signs. Beside them stand the rounding of p (five operations), the range of
// the numbers (some fifteen) and, where F and S are both consistent, the distance of their motions (some thirty).
// Instructions per verdict, slip and rest: 317 and 386 by the rule one by one, 114 and 245 with SSE2, 39 and 77 with
// AVX2, 14 to 19 and 40 with AVX-512. Seven loads, the five operations and the
// packing on eight lanes would be about 3: the rest is what makes the bytes those of the rule.
#pragma once

#include <cstdint>
#include <span>

#include "painleve/complementarity/planar_modes.hpp"

namespace painleve {

// A byte: consistent modes (PlanarModeBit) in the low four bits, above them how many motions there are.
using VerdictByte = std::uint8_t;
enum class Motions : std::uint8_t { one = 0, none = 1, several = 2 };
inline constexpr VerdictByte undecided = 0xff;

constexpr VerdictByte verdict_byte(unsigned consistent, Motions motions) {
  return static_cast<VerdictByte>(consistent | (static_cast<unsigned>(motions) << 4U));
}
constexpr unsigned consistent_modes(VerdictByte byte) { return byte & 15U; }
constexpr Motions motions(VerdictByte byte) { return static_cast<Motions>(byte >> 4U); }

// The rule, for one contact. Two motions are one when their accelerations agree to 1e-9 of the largest acceleration at
// hand, or to the rounding of what the forces do; `b` and `W` are the norms that this is measured by. Undecided where
// the modes are degenerate or a force is beyond the range of numbers: then the table of modes has to be asked.
VerdictByte planar_verdict(const PlanarModes& modes, double b, double W);
VerdictByte planar_verdict(const PlanarContact& contact);

// Contacts as a structure of arrays, one number per state.
struct PlanarContacts {
  const double *W_tt, *W_tn, *W_nn, *b_t, *b_n, *u_t, *mu;
  // b_t and b_n are known to this [m/s²]: states that may change sides within it are left undecided. Negative: the
  // numbers are taken at face value.
  double b_error = -1;

  PlanarContact operator[](std::size_t i) const { return {W_tt[i], W_tn[i], W_nn[i], b_t[i], b_n[i], u_t[i], mu[i]}; }
};

enum class InstructionSet { baseline, avx2, avx512 };
bool available(InstructionSet set);  // on this machine
InstructionSet best_instruction_set();

// By signs alone: what they do not tell is left undecided. A u_t that is not a number leaves its state undecided.
void decide_by_signs(const PlanarContacts& contacts, std::span<VerdictByte> bytes, InstructionSet set);

// The first state from this one on that is undecided; the number of states where there is none.
std::size_t next_undecided(std::span<const VerdictByte> bytes, std::size_t from);

// As planar_verdict() of each; b_error must be negative.
void planar_verdicts(const PlanarContacts& contacts, std::span<VerdictByte> bytes,
                     InstructionSet set = best_instruction_set());

}  // namespace painleve
