#include "analyze_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "painleve/scene/vocabulary.hpp"
#include "terminal.hpp"

namespace painleve::cli {
namespace {

double degrees(double radians) { return radians * 180 / std::numbers::pi; }

std::string value_with_unit(double value, const std::string& unit) {
  if (unit == "rad") return fmt::format("{:.6g} deg", degrees(value));
  if (unit == "rad/s") return fmt::format("{:.6g} rad/s", value);
  return fmt::format("{:.6g} {}", value + 0.0, unit);
}

std::string heading(const std::string& text) { return "\n" + styled(text, Style::strong) + "\n"; }

std::string state_text(const Scene& scene) {
  std::string text;
  const auto& entry = *scene.entry;
  const auto& state = scene.posed.state;
  std::size_t width = 8;
  for (const auto& c : entry.coordinates) width = std::max(width, c.name.size());
  for (std::size_t i = 0; i < entry.coordinates.size(); ++i) {
    const auto& c = entry.coordinates[i];
    const auto k = static_cast<Eigen::Index>(i);
    text += fmt::format("  {:<{}} = {:<14} {:<{}} = {}\n", c.name, width, value_with_unit(state.q(k), c.unit),
                        c.name + "_dot", width + 4, value_with_unit(state.v(k), c.unit + "/s"));
  }
  return text;
}

// What the reader of a robot file left out, or what is worth knowing about it.
std::string notes_text(const Scene& scene) {
  std::string text;
  if (scene.robot == nullptr) return text;
  for (const auto& note : scene.robot->notes) text += fmt::format("  {} {}\n", styled("note:", Style::warn), note);
  return text;
}

std::string direction_text(const Eigen::VectorXd& e) {
  if (e.size() == 1) return e(0) > 0 ? "+t" : "-t";
  const auto clean = [](double x) {
    return std::abs(x) < 1e-12 ? 0.0 : x;
  };  // the sine of 180 degrees is 0 to a reader
  return fmt::format("({:.4g}, {:.4g})", clean(e(0)), clean(e(1)));
}

std::string motion_text(const ContactSpace& s, int i, const ContactReport& r) {
  const Eigen::VectorXd u_t = s.u.segment(s.tangent(i), s.dimension - 1);
  switch (r.touch) {
    case Touch::open:
      return fmt::format("is open, {:.4g} m above its surface", s.gap(i));
    case Touch::approaching:
      return fmt::format("hits its surface at {:.4g} m/s", -s.u(s.normal(i)));
    case Touch::separating:
      return fmt::format("leaves its surface at {:.4g} m/s", s.u(s.normal(i)));
    case Touch::slipping:
      return fmt::format("slides along {} at {:.4g} m/s", direction_text(u_t.normalized()), u_t.norm());
    case Touch::resting:
      return "touches and is at rest";
  }
  return {};
}

// How far friction is from jamming, in words.
std::string jam_text(const ContactSpace& s, int i, const ContactReport& r) {
  const double mu = s.mu(i);
  if (!r.cone.mu_jam) return fmt::format("mu = {:.6g}; {}", mu, r.cone.mu_jam_reason);
  const double percent = 100 * (mu / *r.cone.mu_jam - 1);
  std::string text = fmt::format("mu = {:.6g}, {:.3g} % {} mu_jam = {:.6g}", mu, std::abs(percent),
                                 percent > 0 ? "above" : "below", *r.cone.mu_jam);
  const std::string jammed = direction_text(*r.cone.e_jam);
  if (percent <= 0) {
    text += fmt::format(" (above which slip along {} jams)", jammed);
  } else if (s.dimension == 3) {
    text += fmt::format(": slip within {:.4g} deg of {} jams", degrees(r.cone.locking_angle) / 2, jammed);
  } else {
    text += fmt::format(": slip along {} jams", jammed);
  }
  if (r.cone.mu_crit)
    text += fmt::format("; mu_crit = {:.6g}, above which it can be stopped without slip", *r.cone.mu_crit);
  return text;
}

std::string contact_text(const Analysis& a, int i) {
  const ContactSpace& s = a.scene.space;
  const auto& r = a.contacts[static_cast<std::size_t>(i)];
  const bool bilateral = s.bilateral[static_cast<std::size_t>(i)];
  std::string text = fmt::format("  {} {}{}\n", styled(r.name, Style::strong), motion_text(s, i, r),
                                 bilateral ? " in a two-sided guide" : "");
  text += fmt::format("      {}\n", jam_text(s, i, r));
  if (r.p && r.touch == Touch::slipping) {
    const bool jam = *r.p <= 0;
    text += fmt::format("      p = {:.6g} 1/kg: {}\n", *r.p,
                        jam ? styled("it jams; pressing harder pulls it further in", Style::bad)
                            : "a normal force pushes the contact apart, as one expects");
  }
  if (r.touch != Touch::open)
    text += fmt::format("      without contact forces it would accelerate by a_n = {:.6g} m/s^2\n", s.b(s.normal(i)));
  return text;
}

std::string forces_text(const ModeEntry& m, int dimension) {
  std::string text;
  for (Eigen::Index i = 0; m.lambda && i < m.lambda->size(); i += dimension)
    text += fmt::format("{}{:.6g}", i == 0 ? "" : ", ", (*m.lambda)(i + dimension - 1) + 0.0);
  return text;
}

std::string slip_text(const ModeEntry& m) {
  std::string text;
  for (const auto& c : m.contacts) {
    if (c.letter == Letter::S && c.direction.size() == 2 && c.direction.norm() > 0.5)
      text += " along " + direction_text(c.direction);
  }
  return text;
}

std::string mode_text(const ModeEntry& m, int dimension) {
  const std::string name = fmt::format("{:<8}", m.name);
  if (!m.consistent) return fmt::format("  {} {}  {}\n", name, styled("rejected  ", Style::faint), m.reason);
  std::string text = fmt::format("  {} {}  lambda_n = {} N{}", styled(name, Style::strong),
                                 styled("consistent", Style::good), forces_text(m, dimension), slip_text(m));
  if (m.growth) {
    text += fmt::format(", {} in the stiff limit",
                        m.stability.verdict == "depends" ? "stable or not" : m.stability.verdict);
  }
  if (m.boundary) text += ", on the boundary";
  if (m.force_family_dimension > 0)
    text += fmt::format(", one of a {}-parameter family of forces", m.force_family_dimension);
  return text + "\n";
}

std::string verdict_sentence(const ModeTable& t) {
  if (t.verdict == "impact")
    return "impact. A closed contact approaches its surface: an impact comes before any continuous motion.";
  if (t.verdict.empty()) return "not decided: " + t.verdict_reason + ".";
  if (t.closed.empty()) return "unique. No contact is closed: free flight.";
  if (t.verdict == "inconsistent") {
    return "inconsistent. No acceleration satisfies rigid-body mechanics with Coulomb friction: the Painlevé paradox "
           "without a solution.";
  }
  if (t.verdict == "indeterminate") {
    return t.motion_family_dimension > 0
               ? "indeterminate. A continuum of accelerations satisfies all laws."
               : "indeterminate. Several accelerations satisfy all laws: the Painlevé paradox with several solutions.";
  }
  return t.force_family_dimension > 0 ? "unique. One motion; the forces behind it are not unique."
                                      : "unique. Exactly one acceleration satisfies all laws.";
}

std::string continuation_words(const std::string& name) {
  if (name.find('I') != std::string::npos)
    return name + " (impact without collision: an impulse although nothing approaches)";
  if (name.find_first_not_of('F') == std::string::npos) return name + " (lift-off)";
  return name;
}

std::string continuations_text(const ModeTable& t) {
  if (!t.iwc_reason.empty()) return "not decided: " + t.iwc_reason;
  if (t.closed.empty()) return "free flight";
  if (t.continuations.empty()) return "nothing: no stable mode and no impact without collision";
  std::string text;
  for (const auto& name : t.continuations) text += (text.empty() ? "" : "; or ") + continuation_words(name);
  return text;
}

Style verdict_style(const ModeTable& t) {
  if (t.verdict == "unique") return Style::good;
  return t.verdict == "inconsistent" || t.verdict == "indeterminate" ? Style::bad : Style::warn;
}

std::string modes_text(const ModeTable& t, int dimension) {
  std::string text;
  for (const auto& m : t.modes) text += mode_text(m, dimension);
  if (!t.lists_rejected) text += "  (only consistent modes are listed: there are too many others)\n";
  if (!t.complete) text += fmt::format("  (this list may be incomplete: {})\n", t.incomplete_reason);
  for (const auto& i : t.iwc) {
    text += i.possible
                ? fmt::format("  {:<8} {}    an impact without collision\n", i.name, styled("possible", Style::warn))
                : fmt::format("  {:<8} {}  impact without collision: {}\n", i.name, styled("impossible", Style::faint),
                              i.reason);
  }
  return text;
}

// Rules are asked for where mechanics alone does not answer; properties of equilibria where there may be one.
std::string selections_text(const Analysis& a) {
  if (a.modes.verdict == "unique" || a.modes.verdict.empty() || a.modes.verdict == "impact") return {};
  std::string text;
  for (const auto& s : a.selections) {
    if (!s.holds) continue;
    std::string chosen;
    for (const auto& name : s.chosen) chosen += (chosen.empty() ? "" : ", ") + name;
    text += fmt::format("  {:<24} {:<4} {}{}\n", s.name, *s.holds ? "yes" : "no",
                        chosen.empty() ? "" : fmt::format("[{}] ", chosen), s.reason);
  }
  return text.empty() ? text : heading("What rules of the literature say") + text;
}

}  // namespace

std::string analysis_text(const Analysis& a) {
  const Scene& scene = a.scene;
  const bool drifting = scene.kind == SceneKind::drifting_contacts;
  std::string text = styled(scene.name, Style::strong);
  if (scene.kind == SceneKind::mechanism) {
    text += ": " + scene.entry->summary + "\n" + notes_text(scene) + heading("State") + state_text(scene);
  } else {
    text +=
        drifting ? fmt::format(": drifting contacts at t = {:g} s\n", scene.t) : ": a contact space given in numbers\n";
  }
  if (!drifting) {
    text += heading("What touches what, and how close to jamming");
    for (int i = 0; i < scene.space.count(); ++i) text += contact_text(a, i);
    if (a.rank < scene.space.W.rows()) {
      text += fmt::format("  W has rank {} of {}: some contact forces are not determined by the motion\n", a.rank,
                          scene.space.W.rows());
    }
  }
  if (!a.modes.modes.empty()) {
    text += heading("Modes (F lifts off, T sticks, S slips; one group per closed contact)");
    text += modes_text(a.modes, drifting ? 1 : scene.space.dimension);
  }
  text += heading("Verdict") + "  " + styled(verdict_sentence(a.modes), verdict_style(a.modes)) + "\n";
  text += "  What remains in the stiff limit: " + continuations_text(a.modes) + ".\n";
  if (a.two_contact_class) text += fmt::format("  Class {} of two slipping contacts.\n", *a.two_contact_class);
  if (a.gspot && scene.space.dimension == 2 && a.gspot->portrait != "degenerate") {
    text += fmt::format("  Near the G-spot (p = b_n = 0) with alpha = ({:.6g}, {:.6g}, {:.6g}): {}.\n",
                        a.gspot->alpha[0], a.gspot->alpha[1], a.gspot->alpha[2], a.gspot->outcome);
  }
  text += selections_text(a);
  return text;
}

}  // namespace painleve::cli
