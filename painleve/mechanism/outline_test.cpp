// The outlines of the gallery against its mechanics: the two are written apart from each other, so that a contact drawn
// at the wrong place, or moving the wrong way, disagrees with dynamics().
#include "painleve/mechanism/outline.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "painleve/mechanism/kinematic_mechanism.hpp"
#include "painleve/mechanism/mechanisms_for_tests.hpp"

namespace painleve {
namespace outline_test {

using detail::Drawn;
using Eigen::Vector3d;

constexpr int states = 12;  // per mechanism, each with its own parameters
// Places of order 1 to 10, after a dozen roundings.
constexpr double rounding = 1e-13;
// Of five-point difference quotients of such places: see slope().
constexpr double quotient = 1e-9;

Vector3d vector(const Place& p) { return {p[0], p[1], p[2]}; }

class EveryOutline : public testing::TestWithParam<std::string> {
 protected:
  template <class Check>
  void at_drawn_states(std::uint64_t seed, const Check& check) const {
    for (int i = 0; i < states; ++i) {
      SCOPED_TRACE(fmt::format("seed {} draw {}", seed, i));
      Draws draws(seed + 1000 * static_cast<std::uint64_t>(i));
      const Drawn drawn = detail::drawn_mechanism(gallery_entry(GetParam()), draws);
      const State state = detail::drawn_state(*drawn.mechanism, draws);
      check(drawn, state);
      if (HasFatalFailure()) {
        return;
      }
    }
  }
};

// Calls see(point) for every point of the outline.
template <class See>
void every_place(const Outline& outline, const See& see) {
  for (const Stroke& stroke : outline.strokes) {
    for (const Place& p : stroke.points) {
      see(p);
    }
  }
  for (const Ball& ball : outline.balls) {
    see(ball.centre);
  }
  for (const ContactPlace& contact : outline.contacts) {
    see(contact.at);
    see(contact.normal);
    see(contact.surface_velocity);
  }
}

TEST_P(EveryOutline, NamesItsContactsInOrderAndIsFinite) {
  at_drawn_states(71, [](const Drawn& drawn, const State& state) {
    const Outline outline = drawn.mechanism->outline(state);
    ASSERT_EQ(outline.contacts.size(), drawn.mechanism->contacts().size());
    for (std::size_t i = 0; i < outline.contacts.size(); ++i) {
      EXPECT_EQ(outline.contacts[i].name, drawn.mechanism->contacts()[i]);
    }
    every_place(outline, [&](const Place& p) {
      EXPECT_TRUE(vector(p).allFinite());
      if (drawn.mechanism->dimension() == 2) {
        EXPECT_EQ(p[2], 0);
      }
    });
    for (const Ball& ball : outline.balls) {
      EXPECT_GT(ball.radius, 0);
    }
    const auto is = [](Part part) { return [part](const auto& piece) { return piece.part == part; }; };
    EXPECT_TRUE(std::any_of(outline.strokes.begin(), outline.strokes.end(), is(Part::surface)));
    EXPECT_TRUE(std::any_of(outline.strokes.begin(), outline.strokes.end(), is(Part::body)) ||
                std::any_of(outline.balls.begin(), outline.balls.end(), is(Part::body)));
  });
}

TEST_P(EveryOutline, HasOrthonormalContactFrames) {
  at_drawn_states(72, [](const Drawn& drawn, const State& state) {
    const int dimension = drawn.mechanism->dimension();
    for (const ContactPlace& contact : drawn.mechanism->outline(state).contacts) {
      ASSERT_EQ(contact.tangents.size(), static_cast<std::size_t>(dimension - 1));
      Eigen::MatrixXd frame(3, dimension);
      for (int k = 0; k + 1 < dimension; ++k) {
        frame.col(k) = vector(contact.tangents[static_cast<std::size_t>(k)]);
      }
      frame.col(dimension - 1) = vector(contact.normal);
      detail::expect_close(frame.transpose() * frame, Eigen::MatrixXd::Identity(dimension, dimension), rounding,
                           "frame");
    }
  });
}

// The velocity of the drawn point along q + h v, t + h, less that of the surface, in the drawn frame.
TEST_P(EveryOutline, MovesItsContactsAsTheMechanicsDoes) {
  at_drawn_states(73, [](const Drawn& drawn, const State& state) {
    const Mechanism& mechanism = *drawn.mechanism;
    const State onwards{state.v, Eigen::VectorXd::Zero(state.v.size()), 1};
    const Outline outline = mechanism.outline(state);
    Eigen::VectorXd u(static_cast<Eigen::Index>(outline.contacts.size()) * mechanism.dimension());
    Eigen::Index row = 0;
    for (std::size_t i = 0; i < outline.contacts.size(); ++i) {
      const auto at = [&](double h) {
        return vector(mechanism.outline(detail::moved(state, onwards, h)).contacts[i].at);
      };
      const Vector3d velocity = detail::slope(at) - vector(outline.contacts[i].surface_velocity);
      for (const Place& tangent : outline.contacts[i].tangents) {
        u(row++) = velocity.dot(vector(tangent));
      }
      u(row++) = velocity.dot(vector(outline.contacts[i].normal));
    }
    detail::expect_close(u, mechanism.dynamics(state).u, quotient, "u");
  });
}

TEST(Outline, SurfaceMovesWithTheBelt) {
  for (const char* name : {"impact-oscillator", "brake-pad"}) {
    const auto posed = build(gallery_entry(name), detail::setup_of({{"belt_speed", 0.7}}));
    for (const ContactPlace& contact : posed.mechanism->outline(posed.state).contacts) {
      EXPECT_EQ(contact.surface_velocity, (Place{0.7, 0, 0})) << name;
    }
  }
}

// The gap of `contact` above the surface drawn, where its foot lies on the stroke and the bodies' side is that of the
// normal.
std::optional<double> drawn_gap(const Stroke& surface, const ContactPlace& contact) {
  const Vector3d start = vector(surface.points[0]);
  const Vector3d along = vector(surface.points[1]) - start;
  const Vector3d side = surface.closed ? along.cross(vector(surface.points[2]) - start).normalized()
                                       : Vector3d(-along.y(), along.x(), 0).normalized();
  const Vector3d reach = vector(contact.at) - start;
  const double part = reach.dot(along) / along.squaredNorm();
  if ((side - vector(contact.normal)).norm() > rounding || part < 0 || part > 1) {
    return std::nullopt;
  }
  return reach.dot(side);
}

TEST_P(EveryOutline, DrawsTheSurfaceWhereTheGapEnds) {
  at_drawn_states(74, [](const Drawn& drawn, const State& state) {
    const Outline outline = drawn.mechanism->outline(state);
    const Eigen::VectorXd gap = drawn.mechanism->dynamics(state).gap;
    for (std::size_t i = 0; i < outline.contacts.size(); ++i) {
      double nearest = std::numeric_limits<double>::infinity();
      for (const Stroke& stroke : outline.strokes) {
        if (stroke.part != Part::surface) {
          continue;
        }
        if (const auto found = drawn_gap(stroke, outline.contacts[i])) {
          nearest = std::min(nearest, std::abs(*found - gap(static_cast<Eigen::Index>(i))));
        }
      }
      EXPECT_LT(nearest, 100 * rounding) << outline.contacts[i].name;  // far corners lie some metres away
    }
  });
}

// The distances between the corners of each body, drawn in the order of the strokes.
std::vector<double> shape(const Outline& outline) {
  std::vector<double> distances;
  for (const Stroke& stroke : outline.strokes) {
    if (stroke.part != Part::body) {
      continue;
    }
    for (std::size_t i = 0; i < stroke.points.size(); ++i) {
      for (std::size_t k = 0; k < i; ++k) {
        distances.push_back((vector(stroke.points[i]) - vector(stroke.points[k])).norm());
      }
    }
  }
  for (const Ball& ball : outline.balls) {
    distances.push_back(ball.radius);
  }
  return distances;
}

TEST_P(EveryOutline, DrawsRigidBodies) {
  at_drawn_states(75, [](const Drawn& drawn, const State& state) {
    Draws draws(76);
    const State elsewhere = detail::drawn_state(*drawn.mechanism, draws);
    const auto here = shape(drawn.mechanism->outline(state));
    const auto there = shape(drawn.mechanism->outline(elsewhere));
    ASSERT_EQ(here.size(), there.size());
    for (std::size_t i = 0; i < here.size(); ++i) {
      EXPECT_NEAR(here[i], there[i], 100 * rounding);
    }
  });
}

double distance_to_segment(const Vector3d& p, const Vector3d& a, const Vector3d& b) {
  const double part = std::clamp((p - a).dot(b - a) / (b - a).squaredNorm(), 0.0, 1.0);
  return (p - a - part * (b - a)).norm();
}

// On an edge of something that moves, or (the plate of rigid-body) inside a convex polygon.
bool is_on(const Stroke& stroke, const Vector3d& p) {
  const std::size_t n = stroke.points.size();
  bool inside = stroke.closed;
  for (std::size_t i = 0; i + (stroke.closed ? 0 : 1) < n; ++i) {
    const Vector3d a = vector(stroke.points[i]);
    const Vector3d b = vector(stroke.points[(i + 1) % n]);
    if (distance_to_segment(p, a, b) < 100 * rounding) {
      return true;
    }
    inside = inside && (b - a).cross(p - a).z() > 0;
  }
  return inside;
}

TEST_P(EveryOutline, DrawsTheBodyUpToItsContacts) {
  at_drawn_states(77, [](const Drawn& drawn, const State& state) {
    const Outline outline = drawn.mechanism->outline(state);
    for (const ContactPlace& contact : outline.contacts) {
      const auto carries = [&](const Stroke& stroke) {
        return (stroke.part == Part::body || stroke.part == Part::linkage) && is_on(stroke, vector(contact.at));
      };
      EXPECT_TRUE(std::any_of(outline.strokes.begin(), outline.strokes.end(), carries)) << contact.name;
    }
  });
}

// Where the first coordinates move the whole mechanism along the axes and no spring holds it, −∇V is its weight.
TEST(Outline, ShowsGravity) {
  for (const char* name : {"rod", "block", "pendulum-on-slider", "painleve-klein", "wedged-block", "two-legged-body",
                           "rigid-body", "rimless-wheel", "compass-biped", "rod-3d"}) {
    Draws draws(78);
    const Drawn drawn = detail::drawn_mechanism(gallery_entry(name), draws);
    State state = detail::drawn_state(*drawn.mechanism, draws);
    state.v.setZero();
    const Dynamics d = drawn.mechanism->dynamics(state);
    const Place gravity = drawn.mechanism->outline(state).gravity;
    for (int k = 0; k < drawn.mechanism->dimension(); ++k) {
      EXPECT_NEAR(gravity[static_cast<std::size_t>(k)], (d.f(k) - d.applied(k)) / d.M(k, k), rounding) << name;
    }
  }
}

struct Undrawn {
  static constexpr int degrees = 1;
  static constexpr int dimension = 2;
  template <class S>
  void describe(Sketch<S, 1>& sketch, std::span<const S>) const {
    sketch.inertia(1, sketch.q[0]);
    sketch.contact(sketch.q[0], sketch.q[0]);
  }
};

TEST(Outline, IsEmptyWhereNobodyDrewIt) {
  const KinematicMechanism<Undrawn> mechanism({}, {"x"}, {"tip"}, {});
  const Outline outline = mechanism.outline({Eigen::VectorXd::Zero(1), Eigen::VectorXd::Zero(1)});
  EXPECT_TRUE(outline.strokes.empty() && outline.balls.empty() && outline.contacts.empty());
}

INSTANTIATE_TEST_SUITE_P(Gallery, EveryOutline, testing::ValuesIn(detail::gallery_names()),
                         [](const auto& it) { return detail::case_name(it.param); });

}  // namespace outline_test
}  // namespace painleve
