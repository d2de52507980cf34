#include "painleve/mechanism/gallery.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "painleve/base/error.hpp"
#include "painleve/base/names.hpp"
#include "painleve/mechanism/gallery/entries.hpp"
#include "painleve/mechanism/posture.hpp"

namespace painleve {
namespace {

void check_bound(const ParameterInfo& info, double value) {
  const auto reject = [&](const char* range) {
    throw InputError(fmt::format("parameters.{} is {}, it must be {}", info.name, value, range));
  };
  if (!std::isfinite(value)) reject("a finite number");
  if (info.bound == Bound::positive && !(value > 0)) reject("> 0");
  if (info.bound == Bound::nonnegative && !(value >= 0)) reject(">= 0");
  if (info.bound == Bound::count && !(value >= 3 && value <= 1000 && value == std::floor(value)))
    reject("a whole number from 3 to 1000");
}

Numbers complete_parameters(const GalleryEntry& entry, const Numbers& given) {
  Numbers all;
  for (const auto& info : entry.parameters) {
    const double fallback = info.derived ? info.derived(all) : info.fallback;
    all.set(info.name, given.get(info.name, fallback));
    check_bound(info, all.at(info.name));
  }
  return all;
}

void check_lists(const GalleryEntry& entry, const Setup& setup) {
  for (const auto& name : entry.lists) {
    const auto found = setup.lists.find(name);
    if (found == setup.lists.end())
      throw InputError(fmt::format("{} needs parameters.{}, a list of [x, y]", entry.name, name));
    for (const auto& [x, y] : found->second)
      if (!std::isfinite(x) || !std::isfinite(y))
        throw InputError(fmt::format("parameters.{} holds [{}, {}], it must hold finite numbers", name, x, y));
  }
}

void check_elbow(const GalleryEntry& entry, const Setup& setup) {
  if (setup.elbow.empty()) return;
  if (entry.elbows.empty()) throw InputError(fmt::format("{} has no elbow", entry.name));
  if (std::find(entry.elbows.begin(), entry.elbows.end(), setup.elbow) == entry.elbows.end())
    throw InputError(unknown_name("elbow", setup.elbow, entry.elbows));
}

// The entry's contacts with what the user said of each.
std::vector<ContactInfo> choose_contacts(const GalleryEntry& entry, const Setup& setup) {
  auto contacts = entry.contacts(setup);
  for (auto& contact : contacts) {
    const auto found = setup.contacts.find(contact.name);
    if (found == setup.contacts.end()) continue;
    contact.closed = found->second.closed.value_or(contact.closed);
    contact.bilateral = found->second.bilateral.value_or(contact.bilateral);
    if (found->second.stiffness) contact.stiffness = found->second.stiffness;
  }
  return contacts;
}

// The last digit of a larger angle moves a contact at the distance of a metre by more than 1e-10 m, a tenth of what
// counts as closed.
void check_angles(const GalleryEntry& entry, const State& state) {
  constexpr double largest = 1e6;  // [rad]
  for (std::size_t i = 0; i < entry.coordinates.size(); ++i) {
    const auto& info = entry.coordinates[i];
    const double value = state.q(static_cast<Eigen::Index>(i));
    if (info.unit == "rad" && std::abs(value) > largest) {
      throw InputError(
          fmt::format("state.{} is {} rad, allowed are angles up to {} rad: a larger one has lost the digits that tell "
                      "where contacts are (take off whole turns)",
                      info.name, value, largest));
    }
  }
}

State given_state(const GalleryEntry& entry, const Setup& setup) {
  const auto n = static_cast<Eigen::Index>(entry.coordinates.size());
  State state{Eigen::VectorXd::Zero(n), Eigen::VectorXd::Zero(n), setup.t};
  for (Eigen::Index i = 0; i < n; ++i) {
    const auto& info = entry.coordinates[static_cast<std::size_t>(i)];
    state.q(i) = setup.given.get(info.name, info.fallback);
    state.v(i) = setup.given.get(info.name + "_dot", 0);
  }
  for (const auto& [name, value] : setup.given.all())
    if (!std::isfinite(value)) throw InputError(fmt::format("state.{} is {}, it must be a finite number", name, value));
  if (!std::isfinite(setup.t)) throw InputError(fmt::format("state.t is {}, it must be a finite number", setup.t));
  check_angles(entry, state);
  return state;
}

// A state beyond a limit of a joint cannot be taken up.
void check_limits(const Mechanism& mechanism, const State& state) {
  constexpr double beyond = 1e-9;  // [rad, m] a joint that stands at its limit is not refused for its rounding
  if (mechanism.room(state) < -beyond) throw InputError("the state is out of bounds: " + mechanism.limit(state));
}

}  // namespace

std::vector<std::string> GalleryEntry::coordinate_names() const {
  std::vector<std::string> names;
  for (const auto& coordinate : coordinates) names.push_back(coordinate.name);
  return names;
}

const std::vector<GalleryEntry>& gallery() {
  static const std::vector<GalleryEntry> entries = {detail::rod(),
                                                    detail::chalk(),
                                                    detail::block(),
                                                    detail::impact_oscillator(),
                                                    detail::two_link(),
                                                    detail::pendulum_on_slider(),
                                                    detail::painleve_klein(),
                                                    detail::wedged_block(),
                                                    detail::two_legged_body(),
                                                    detail::rigid_body(),
                                                    detail::brake_pad(),
                                                    detail::rimless_wheel(),
                                                    detail::compass_biped(),
                                                    detail::articulated_arm(),
                                                    detail::rod_3d()};
  return entries;
}

const GalleryEntry& gallery_entry(const std::string& name) {
  std::vector<std::string> names;
  for (const auto& entry : gallery()) {
    if (entry.name == name) return entry;
    names.push_back(entry.name);
  }
  throw InputError(unknown_name("mechanism", name, names));
}

Posed build(const GalleryEntry& entry, Setup setup) {
  setup.parameters = complete_parameters(entry, setup.parameters);
  check_lists(entry, setup);
  check_elbow(entry, setup);
  State state = given_state(entry, setup);
  if (entry.guess) entry.guess(setup, state.q);
  Posed posed;
  posed.parameters = setup.parameters;
  posed.contacts = choose_contacts(entry, setup);
  posed.mechanism = entry.make(setup, state.q);
  posed.state = entry.pose ? entry.pose(setup, *posed.mechanism, state)
                           : solve_posture(entry, setup, *posed.mechanism, posed.contacts, state);
  check_limits(*posed.mechanism, posed.state);
  return posed;
}

namespace detail {

std::vector<Expression> force_list(const GalleryEntry& entry, const Setup& setup) {
  std::vector<Expression> list;
  for (const auto& info : entry.forces) {
    const auto found = setup.forces.find(info.name);
    for (int k = 0; k < info.components; ++k)
      list.push_back(found == setup.forces.end() ? Expression::constant(0)
                                                 : found->second.at(static_cast<std::size_t>(k)));
  }
  return list;
}

}  // namespace detail
}  // namespace painleve
