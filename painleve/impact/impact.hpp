// The impact of a whole state: one contact that strikes, several at once, or an impact without collision.
//
//   u⁺ = u⁻ + W Λ,       change of energy = Λᵀ(u⁻ + u⁺)/2, exact for singular W as well
//
// One closed contact: planar_impact.hpp in the plane, spatial_impact.hpp in space. With several closed contacts rigid
// bodies do not say what happens; `several` chooses a model:
//
//   sequential    one contact after another, the fastest approach first, each by its own law, the others unconstrained,
//                 until none approaches. A sequence of ever weaker impacts is summed as a geometric series.
//   simultaneous  all impulses at once, simultaneous_impact.hpp: Moreau's complementarity problem with Newton's
//                 restitution, whatever the law, and again where contacts that separated approach after it. All
//                 solutions; the first is the one that dissipates most.
//   compliant     springs that give back r² of what they store, in real time, compliant_impact.hpp: the energetic law,
//                 whatever the law. Depends on the ratios of the stiffnesses, which are equal unless given.
//
// Bilateral contacts keep u_n = 0: impulses act through W − W_{·n}(W_nn)⁺W_{n·} of their normals. Their friction is
// left out of sequential and compliant impacts, and part of simultaneous ones.
//
// Impact without collision: nothing approaches, and a contact slips with p < 0. Where several do, each is a possible
// impact (words IF, FI); `without_collision` says which. More than one name means that they act together (II), and some
// jam only so: springs tell, the compliant model. Whether bilateral contacts jam, whose forces have either sign,
// say the words of modes/impact_without_collision.hpp; the impulse is that of the impulse problem that ends the slip.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "painleve/contact/contact_space.hpp"
#include "painleve/modes/chatter_reach.hpp"

namespace painleve {

enum class SeveralImpacts { sequential, simultaneous, compliant };
const char* to_string(SeveralImpacts several);
const std::vector<std::string>& several_impacts();        // the names, in the order of the enumeration
SeveralImpacts several_impacts(const std::string& name);  // throws InputError

struct ImpactOptions {
  std::vector<BounceLaw> laws;  // per contact of the space; one that is missing does not bounce (r = 0)
  SeveralImpacts several = SeveralImpacts::sequential;
  Tolerance tolerance;
  std::vector<int> without_collision;  // contacts on which an impact without collision is asked for although nothing
                                       // approaches; empty: decided from the state
  int most_impacts = 10000;            // of a sequence
  Eigen::VectorXd stiffness;           // compliant: one > 0 per contact; empty: equal
  int steps_per_period = 4000;         // compliant: of the fastest spring; the error falls with its inverse
};

struct ImpactAlternative {
  std::string mode;  // word of the impulse problem of the first round
  Eigen::VectorXd u_after, Lambda;
  double energy_change = 0;
};

struct ImpactReport {
  bool happened = false;
  std::string reason;  // why not; or what is left undone
  bool without_collision = false;
  bool ended = true;                          // false: a sequence was cut off, `reason` says where
  Eigen::VectorXd u_before, u_after, Lambda;  // stacked over the space
  std::vector<std::string> phases;            // with the contact's name where several take part
  std::string region;                         // planar: 0 to 10, one per impact of a sequence
  double energy_change = 0;
  std::optional<double> restitution_observed;  // −u_n⁺/u_n⁻ of the contact that strikes first
  std::string method;
  std::optional<RestitutionLaw> law;  // the one of all contacts, where the model has but one
  int impacts = 0;                    // of a sequence, or rounds of simultaneous ones
  std::vector<int> contacts;          // that took an impulse, in the order of the first one
  std::vector<int> candidates;        // of impacts without collision: contacts that slip with p < 0, the lowest first
  bool summed = false;                // the end of the sequence is a geometric series
  std::optional<double> error;        // compliant: the most that other time steps changed a velocity
  std::vector<ImpactAlternative> alternatives;  // simultaneous: all solutions, this one first
};

ImpactReport impact(const ContactSpace& space, const ImpactOptions& options);

}  // namespace painleve
