#include "printed_inputs.hpp"

#include <fmt/format.h>

#include "bench_scenes.hpp"
#include "drawn_inputs.hpp"
#include "painleve/base/error.hpp"
#include "painleve/impact/planar_impact.hpp"

namespace painleve {
namespace {

std::string line(const PlanarContact& c) {
  return fmt::format("{} {} {} {} {} {} {}\n", c.W_tt, c.W_tn, c.W_nn, c.b_t, c.b_n, c.u_t, c.mu);
}

std::string line(const RodState& s) { return fmt::format("{} {} {} {} {}\n", s.q[2], s.v[0], s.v[1], s.v[2], s.mu); }

std::string line(const Striking<PlanarContact>& s) {
  const PlanarContact& c = s.contact;
  const PlanarImpact after = planar_impact(c, s.u_n, s.law);
  return fmt::format("{} {} {} {} {} {} {} {} {}\n", c.W_tt, c.W_tn, c.W_nn, c.u_t, c.mu, s.u_n, s.law.restitution,
                     after.u_t, after.u_n);
}

template <class List>
std::string lines(const List& list) {
  std::string text;
  for (const auto& item : list) text += line(item);
  return text;
}

std::string compliant_impulses() {
  const Run run = compliant_rod_run(compliant_rod_problem(8), 1e-4, 1e-13);
  return fmt::format("{} {}\n", run.impulse(0), run.impulse(1));
}

}  // namespace

std::string printed_inputs(const std::string& name) {
  if (name == "contacts") return lines(drawn_contacts());
  if (name == "resting") return lines(drawn_resting_contacts());
  if (name == "rods") return lines(drawn_rods());
  if (name == "impacts") return lines(drawn_planar_impacts());
  if (name == "compliant") return compliant_impulses();
  throw InputError(
      fmt::format("there are no inputs '{}': contacts, resting, rods, impacts and compliant are known", name));
}

}  // namespace painleve
