#include "drawn_inputs.hpp"

#include <algorithm>
#include <cmath>

#include "painleve/base/draws.hpp"
#include "painleve/contact/drawn_contacts.hpp"
#include "painleve/impact/spatial_impact.hpp"

namespace painleve {
namespace {

constexpr std::size_t contact_count = 1024;
constexpr std::size_t impact_count = 256;
constexpr std::size_t slipping_count = 64;

SpatialContact drawn_spatial(Draws& draws) {
  const Eigen::Matrix3d W = drawn_gram(draws, 3, 3, 0.05);
  const Eigen::Vector2d u_t(draws.normal(), draws.normal());
  return {W.topLeftCorner<2, 2>(), W.topRightCorner<2, 1>(), W(2, 2), Eigen::Vector2d::Zero(), 0, u_t,
          draws.uniform(0, 2)};
}

BounceLaw drawn_law(Draws& draws) { return {draws.uniform(0.05, 1), RestitutionLaw::energetic, {}}; }

Striking<SpatialContact> drawn_spatial_impact(Draws& draws) {
  const SpatialContact contact = drawn_spatial(draws);
  const double u_n = -draws.uniform(0.05, 2);
  return {contact, u_n, drawn_law(draws)};
}

double slowest_slip(const SpatialImpact& impact) {
  double least = impact.u_t.norm();
  for (const auto& point : impact.path) least = std::min(least, point.u_t.norm());
  return least;
}

bool keeps_slipping(const Striking<SpatialContact>& s) {
  const SpatialImpact impact = spatial_impact(s.contact, s.u_n, s.law, {1e-12, true});
  const bool slips = std::none_of(impact.phases.begin(), impact.phases.end(),
                                  [](const ImpactPhase& phase) { return phase.slide == Slide::stick; });
  return impact.happened() && slips && slowest_slip(impact) > 0.1;
}

}  // namespace

std::vector<PlanarContact> drawn_contacts() {
  Draws draws(1895);
  std::vector<PlanarContact> list;
  for (std::size_t i = 0; i < contact_count; ++i) {
    const double a = draws.uniform(0.5, 3), c = draws.uniform(0.5, 3);
    const double coupling = draws.uniform(-0.95, 0.95) * std::sqrt(a * c);
    const double slip = i % 2 == 0 ? 0 : draws.uniform(-1, 1);
    list.push_back({a, coupling, c, draws.normal(), draws.normal(), slip, draws.uniform(0, 2)});
  }
  return list;
}

std::vector<PlanarContact> drawn_resting_contacts() {
  std::vector<PlanarContact> list = drawn_contacts();
  list.erase(std::remove_if(list.begin(), list.end(), [](const PlanarContact& c) { return c.u_t != 0; }), list.end());
  return list;
}

std::vector<RodState> drawn_rods() {
  Draws draws(1905);
  std::vector<RodState> list;
  for (std::size_t i = 0; i < contact_count; ++i)
    list.push_back(
        {{0, 0, draws.uniform(0.1, 3)}, {draws.normal(), draws.normal(), draws.normal()}, draws.uniform(0, 2)});
  return list;
}

std::vector<PlanarContact> drawn_steps() {
  Draws draws(1895);
  std::vector<PlanarContact> list;
  for (std::size_t i = 0; i < contact_count; ++i) {
    const double phi = draws.uniform(0.9, 1.2);
    const double s = std::sin(phi), c = std::cos(phi);
    const double torque = draws.uniform(-2, 0.5);
    const double dt = 0.01;
    list.push_back(
        {1 + 3 * s * s, -3 * s * c, 1 + 3 * c * c, -1 + dt * 3 * s * torque, -dt * (1 + 3 * c * torque), 0, 1.5});
  }
  return list;
}

ContactProblem problem_of(const PlanarContact& contact) {
  ContactProblem p;
  p.W.resize(2, 2);
  p.W << contact.W_tt, contact.W_tn, contact.W_tn, contact.W_nn;
  p.q = Eigen::Vector2d(contact.b_t, contact.b_n);
  p.mu = Eigen::VectorXd::Constant(1, contact.mu);
  p.bilateral = {false};
  p.law = {Law::resting};
  p.slip = Eigen::MatrixXd::Zero(1, 1);
  return p;
}

std::vector<LinearComplementarity> drawn_slips(int contacts) {
  Draws draws(16);
  std::vector<LinearComplementarity> problems(contacts <= 12 ? 8 : 2);
  for (auto& p : problems) {
    p.M.resize(contacts, contacts);
    p.q.resize(contacts);
    for (double& x : p.M.reshaped()) x = draws.normal();
    p.M.diagonal().array() += 1;
    for (double& x : p.q) x = draws.normal();
  }
  return problems;
}

std::vector<ContactProblem> drawn_rests(int contacts, int freedoms) {
  Draws draws(12);
  std::vector<ContactProblem> problems(contacts <= 2 ? 8 : 2);
  for (auto& p : problems) {
    Eigen::MatrixXd J(2 * contacts, freedoms);
    for (double& x : J.reshaped()) x = draws.normal();
    Eigen::VectorXd v(freedoms);
    for (double& x : v) x = draws.normal();
    p.W = J * J.transpose();
    p.q = J * v;
    p.mu.resize(contacts);
    for (double& x : p.mu) x = draws.uniform(0.1, 1.5);
    p.bilateral.assign(static_cast<std::size_t>(contacts), false);
    p.law.assign(static_cast<std::size_t>(contacts), Law::resting);
    p.slip = Eigen::MatrixXd::Zero(1, contacts);
  }
  return problems;
}

std::vector<Striking<PlanarContact>> drawn_planar_impacts() {
  Draws draws(1875);
  std::vector<Striking<PlanarContact>> list;
  for (std::size_t i = 0; i < impact_count; ++i) {
    const PlanarContact contact = drawn_planar(draws, draws.integer(-1, 1));
    const double u_n = -draws.uniform(0.05, 2);
    list.push_back({contact, u_n, drawn_law(draws)});
  }
  return list;
}

std::vector<Striking<SpatialContact>> drawn_spatial_impacts() {
  Draws draws(1876);
  std::vector<Striking<SpatialContact>> list;
  while (list.size() < impact_count) list.push_back(drawn_spatial_impact(draws));
  return list;
}

std::vector<Striking<SpatialContact>> drawn_slipping_impacts() {
  Draws draws(1877);
  std::vector<Striking<SpatialContact>> list;
  while (list.size() < slipping_count) {
    const auto drawn = drawn_spatial_impact(draws);
    if (keeps_slipping(drawn)) list.push_back(drawn);
  }
  return list;
}

}  // namespace painleve
