#include "painleve/impact/impact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "painleve/base/error.hpp"
#include "painleve/impact/compliant_impact.hpp"
#include "painleve/impact/detail/bilateral_jam.hpp"
#include "painleve/impact/detail/impact_rounds.hpp"
#include "painleve/impact/detail/impact_space.hpp"
#include "painleve/impact/detail/joint_jam.hpp"
#include "painleve/impact/planar_impact.hpp"
#include "painleve/impact/simultaneous_impact.hpp"
#include "painleve/impact/spatial_impact.hpp"

namespace painleve {
namespace {

using detail::ImpactSpace;

// The impact of one contact, whatever the dimension.
struct SingleImpact {
  ImpactOutcome outcome = ImpactOutcome::none;
  Eigen::VectorXd u, Lambda;  // of the contact
  std::vector<std::string> phases;
  std::string region;
};

SingleImpact single_impact(const ImpactSpace& s, int contact) {
  const BounceLaw& law = s.laws[static_cast<std::size_t>(contact)];
  const double u_n = s.space.u(s.space.normal(contact));
  SingleImpact result;
  if (s.space.dimension == 2) {
    const PlanarImpact i = planar_impact(planar_contact(s.space, contact), u_n, law);
    result.outcome = i.outcome;
    result.u = Eigen::Vector2d(i.u_t, i.u_n);
    result.Lambda = Eigen::Vector2d(i.Lambda_t, i.Lambda_n);
    for (int k = 0; k < i.phase_count; ++k)
      result.phases.emplace_back(to_string(i.phases[static_cast<std::size_t>(k)]));
    result.region = std::to_string(i.region);
    return result;
  }
  const SpatialImpact i = spatial_impact(spatial_contact(s.space, contact), u_n, law);
  result.outcome = i.outcome;
  result.u = Eigen::Vector3d(i.u_t.x(), i.u_t.y(), i.u_n);
  result.Lambda = Eigen::Vector3d(i.Lambda_t.x(), i.Lambda_t.y(), i.Lambda_n);
  for (const ImpactPhase& phase : i.phases) result.phases.emplace_back(to_string(phase));
  return result;
}

void note(const ImpactSpace& s, int contact, const SingleImpact& i, bool alone, ImpactReport& report) {
  const std::string name = alone ? "" : s.space.names[static_cast<std::size_t>(contact)] + ": ";
  for (const std::string& phase : i.phases) {
    if (report.phases.size() < detail::most_phases) report.phases.push_back(name + phase);
  }
  if (!i.region.empty() && report.impacts <= 12) report.region += (report.region.empty() ? "" : ", ") + i.region;
  if (std::find(report.contacts.begin(), report.contacts.end(), contact) == report.contacts.end())
    report.contacts.push_back(contact);
}

// One impact after another.
class Sequence {
 public:
  Sequence(const ContactSpace& space, ImpactSpace s, const ImpactOptions& options)
      : space_(space),
        s_(std::move(s)),
        options_(options),
        Lambda_(Eigen::VectorXd::Zero(space.u.size())),
        rounds_(s_),
        speed_(space.u.lpNorm<Eigen::Infinity>()) {
    alone_ = s_.unilateral.size() == 1;
    const std::string single =
        space.dimension == 2 ? "closed form of one planar contact" : "integration of one spatial contact";
    report_.method = alone_ ? single : "sequential: " + single + " after another";
    report_.u_before = space.u;
  }

  // Beginning with the contact `first`.
  ImpactReport run(int first) {
    std::vector<int> next{first};
    while (!next.empty() && report_.ended) {
      strike(next.front());
      constexpr int between_looks = 16;
      if (followed_ > 0 && followed_ % between_looks == 0) pass_over();
      next = detail::approaching(s_, s_.space.u);
    }
    if (report_.impacts == 0) return report_;
    report_.happened = true;
    report_.Lambda = detail::with_reactions(s_, Lambda_);
    detail::finish(space_, s_.space.u, report_);
    return report_;
  }

 private:
  void strike(int contact) {
    const std::string& name = space_.names[static_cast<std::size_t>(contact)];
    if (followed_ >= options_.most_impacts) {
      stop(fmt::format("the sequence has not ended after {} impacts; {} still approaches with {:.3g} m/s",
                       report_.impacts, name, -s_.space.u(space_.normal(contact))));
      return;
    }
    const SingleImpact i = single_impact(s_, contact);
    if (i.outcome == ImpactOutcome::locked) {
      stop(fmt::format("no normal impulse stops the approach of {}: W does not move it along its normal", name));
      return;
    }
    ++report_.impacts;
    ++followed_;
    note(s_, contact, i, alone_, report_);
    report_.without_collision |= i.outcome == ImpactOutcome::without_collision;
    const int t = space_.tangent(contact);
    Lambda_.segment(t, space_.dimension) += i.Lambda;
    const Eigen::VectorXd before = s_.space.u;
    s_.space.u += s_.space.W.middleCols(t, space_.dimension) * i.Lambda;
    s_.space.u.segment(t, space_.dimension) = i.u;  // exact zeros stay exact
    rounds_.add(contact, before, Lambda_);
    constexpr double without_end = 1e12;  // Newton's law may gain energy in every round
    if (!(s_.space.u.lpNorm<Eigen::Infinity>() <= without_end * speed_))
      stop(fmt::format("the impacts grow without end: after {} of them velocities are 1e12 times those before",
                       report_.impacts));
  }

  void stop(const std::string& reason) {
    report_.ended = false;
    report_.reason = reason;
  }

  void pass_over() {
    const auto ahead = rounds_.ahead(s_.space.u);
    if (!ahead) return;
    Lambda_ += ahead->Lambda;
    s_.space.u += s_.space.W * ahead->Lambda;
    report_.summed = std::isinf(ahead->impacts);
    if (report_.summed)
      s_.least_approach = std::max(s_.least_approach, detail::rounding_of_end * speed_);
    else
      report_.impacts += static_cast<int>(ahead->impacts);
    rounds_.clear();
  }

  const ContactSpace& space_;
  ImpactSpace s_;
  const ImpactOptions& options_;
  Eigen::VectorXd Lambda_;  // without the reactions of bilateral contacts
  detail::ImpactRounds rounds_;
  double speed_;      // the largest one before
  int followed_ = 0;  // impacts, of report_.impacts
  ImpactReport report_;
  bool alone_ = false;
};

ImpactReport nothing(const ContactSpace& space, std::string reason) {
  ImpactReport report;
  report.u_before = space.u;
  report.reason = std::move(reason);
  return report;
}

std::string why_nothing(const ContactSpace& space, const ImpactSpace& s, const ImpactOptions& options,
                        const std::string& undecided) {
  if (s.unilateral.empty() && s.bilateral.empty()) return "no contact touches: nothing can strike";
  const std::string text = s.unilateral.empty() ? "bilateral contacts cannot strike, and "
                                                : "no closed contact approaches its surface, and ";
  if (!undecided.empty()) return text + undecided;
  if (detail::bilateral_slips(space, options.tolerance)) return text + "friction jams none of those that slip";
  bool slips = false;
  for (const int i : s.unilateral) slips |= slip_response(s, i, options.tolerance).has_value();
  return text + (slips ? "none slips with p < 0" : "none slips");
}

// Contacts that slip with p < 0 and u_n = 0, the lowest p first.
std::vector<int> jamming(const ImpactSpace& s, const ImpactOptions& options) {
  std::vector<int> list;
  const auto p = [&](int i) { return detail::slip_response(s, i, options.tolerance).value_or(0); };
  for (const int i : s.unilateral) {
    const bool still = std::abs(s.space.u(s.space.normal(i))) <= s.least_approach;
    if (still && p(i) < 0) list.push_back(i);
  }
  std::stable_sort(list.begin(), list.end(), [&](int i, int j) { return p(i) < p(j); });
  return list;
}

// At a bilateral contact the impulse ends the slip: the solution of the impulse problem, other than Λ = 0, that takes
// most energy.
ImpactReport end_slip(const ContactSpace& space, const ImpactOptions& options, const std::vector<int>& contacts) {
  const auto slips = [&](int i) { return touch(space, i, options.tolerance) == Touch::slipping; };
  if (std::none_of(contacts.begin(), contacts.end(), slips)) return nothing(space, "none of these contacts slips");
  ImpactReport report = simultaneous_impact(space, options);
  if (!report.happened || report.Lambda.isZero(0)) return nothing(space, "no impulse stops the slip of these contacts");
  report.without_collision = true;
  report.contacts = contacts;
  return report;
}

// Nothing is asked for, and no one-sided contact jams by itself.
ImpactReport unasked(const ContactSpace& space, const ImpactSpace& s, const ImpactOptions& options) {
  const detail::JointJam together = detail::joint_jam(s, options);
  if (!together.struck.empty()) return compliant_impact(space, options);
  ContactSpace struck = space;
  struck.mu = s.space.mu;
  const detail::BilateralJam jam = detail::bilateral_jam(struck, options);
  if (!jam.contacts.empty()) return end_slip(space, options, jam.contacts);
  return nothing(space, why_nothing(space, s, options, jam.undecided.empty() ? together.undecided : jam.undecided));
}

// A contact that is asked for and does not jam by itself may do so with others.
ImpactReport asked_for(int contact, const ContactSpace& space, const ImpactSpace& s, const ImpactOptions& options) {
  if (!detail::joint_jam(s, options).struck.empty()) return compliant_impact(space, options);
  return nothing(space, fmt::format("{} has no impact without collision: it does not slip with p < 0 and u_n = 0 "
                                    "(friction of impacts {})",
                                    space.names[static_cast<std::size_t>(contact)], s.space.mu(contact)));
}

ImpactReport without_collision(const ContactSpace& space, const ImpactSpace& s, const ImpactOptions& options) {
  const std::vector<int> candidates = jamming(s, options);
  const std::vector<int>& asked = options.without_collision;
  if (std::any_of(asked.begin(), asked.end(), [&](int i) { return space.bilateral[static_cast<std::size_t>(i)]; }))
    return end_slip(space, options, asked);
  for (const int i : asked) {
    if (std::find(s.unilateral.begin(), s.unilateral.end(), i) == s.unilateral.end())
      return nothing(space, fmt::format("{} has no impact without collision: it is not closed",
                                        space.names[static_cast<std::size_t>(i)]));
  }
  if (asked.size() > 1) return compliant_impact(space, options);
  if (asked.empty() && candidates.empty()) return unasked(space, s, options);
  const int chosen = asked.empty() ? candidates.front() : asked.front();
  if (std::find(candidates.begin(), candidates.end(), chosen) == candidates.end())
    return asked_for(chosen, space, s, options);
  ImpactSpace still = s;
  still.space.u(space.normal(chosen)) = 0;  // what a tolerance calls zero is zero
  const bool springs = options.several == SeveralImpacts::compliant && s.unilateral.size() > 1;
  ImpactReport report = springs ? compliant_impact(space, options) : Sequence(space, still, options).run(chosen);
  report.candidates = candidates;
  return report;
}

}  // namespace

const std::vector<std::string>& several_impacts() {
  static const std::vector<std::string> names = {"sequential", "simultaneous", "compliant"};
  return names;
}

const char* to_string(SeveralImpacts several) { return several_impacts()[static_cast<std::size_t>(several)].c_str(); }

SeveralImpacts several_impacts(const std::string& name) {
  const auto& names = several_impacts();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    throw InputError(
        fmt::format("there is no way '{}' for several impacts: sequential, simultaneous or compliant", name));
  return static_cast<SeveralImpacts>(found - names.begin());
}

ImpactReport impact(const ContactSpace& space, const ImpactOptions& options) {
  const ImpactSpace s = detail::impact_space(space, options);
  const std::vector<int> strikes = detail::approaching(s, space.u);
  if (strikes.empty()) return without_collision(space, s, options);
  const bool alone = s.unilateral.size() == 1;
  if (options.several == SeveralImpacts::simultaneous && !(alone && s.bilateral.empty()))
    return simultaneous_impact(space, options);
  if (options.several == SeveralImpacts::compliant && !alone) return compliant_impact(space, options);
  return Sequence(space, s, options).run(strikes.front());
}

}  // namespace painleve
