// Scenes of bare numbers instead of bodies: contact spaces and drifting contacts.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "painleve/scene/analysis.hpp"
#include "painleve/scene/detail/built_scenes.hpp"

namespace painleve {
namespace contact_numbers_test {

using detail::build;
using detail::build_error;
using detail::expect_contains;
using detail::Sets;

const char* const kSpace = "mechanism = 'contact-space'\n[parameters]\n";
const char* const kUnit = "W = [[1, 0.2], [0.2, 1]]\nb = [0, -1]\nu = [1, 0]\nmu = 0.5\n";

TEST(ContactSpaceScene, ReadsItsNumbers) {
  const Scene scene = build(std::string(kSpace) + R"(
dimension = 2
W = [[2, 0.5, 0, 0], [0.5, 1, 0, 0.1], [0, 0, 3, 0], [0, 0.1, 0, 1]]
b = [0.1, -1, 0.2, -2]
u = [1, 0, -1, 0]
mu = [0.5, 0.7]
gap = [0, 0.25]
drift = [0.01, 0.02, 0.03, 0.04]
bilateral = [false, true]
)");
  EXPECT_EQ(scene.kind, SceneKind::contact_space);
  EXPECT_EQ(scene.space.names, (std::vector<std::string>{"c1", "c2"}));
  EXPECT_EQ(scene.space.W(1, 3), 0.1);
  EXPECT_EQ(scene.space.b(3), -2);
  EXPECT_EQ(scene.space.u(2), -1);
  EXPECT_EQ(scene.space.mu(1), 0.7);
  EXPECT_EQ(scene.space.gap(1), 0.25);
  EXPECT_EQ(scene.space.drift(3), 0.04);
  EXPECT_FALSE(scene.space.bilateral[0]);
  EXPECT_TRUE(scene.space.bilateral[1]);
  EXPECT_EQ(scene.tolerance.gap, 0);  // numbers at face value
  EXPECT_EQ(scene.tolerance.velocity, 0);
}

TEST(ContactSpaceScene, TakesNumbersAtFaceValue) {
  const auto touch_of = [](const Sets& sets) {
    return analyze(build(std::string(kSpace) + kUnit, sets)).contacts[0].touch;
  };
  EXPECT_EQ(touch_of({}), Touch::slipping);
  EXPECT_EQ(touch_of({"u=[1e-12, 0]"}), Touch::slipping);
  EXPECT_EQ(touch_of({"u=[0, 0]"}), Touch::resting);
  EXPECT_EQ(touch_of({"u=[0, 1e-12]"}), Touch::separating);
  EXPECT_EQ(touch_of({"u=[0, -1e-12]"}), Touch::approaching);
  EXPECT_EQ(touch_of({"gap=1e-12"}), Touch::open);
  EXPECT_EQ(touch_of({"gap=1e-12", "tolerance.gap=1e-9"}), Touch::slipping);
}

TEST(ContactSpaceScene, LawsOfContactsApply) {
  const Scene scene = build(std::string(kSpace) + kUnit + "[contact.c1]\nmu = 0.8\nstiffness = 4\nrestitution = 0.3");
  EXPECT_EQ(scene.space.mu(0), 0.8);
  EXPECT_EQ(scene.laws[0].mu, 0.8);
  EXPECT_EQ(scene.laws[0].stiffness, 4);
  EXPECT_EQ(build(std::string(kSpace) + kUnit, {"mu=0.9"}).space.mu(0), 0.9);
  EXPECT_EQ(build(std::string(kSpace) + kUnit, {"b=[0, 2]"}).space.b(1), 2);
  EXPECT_TRUE(build(std::string(kSpace) + kUnit, {"c1.bilateral=true"}).space.bilateral[0]);
  expect_contains(build_error(std::string(kSpace) + kUnit, {"c1.closed=false"}), {"closed", "parameters.gap"});
  const std::string two =
      "W = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]\nb = [0, 0, 0, 0]\nu = [0, 0, 0, 0]\nmu = 0.4\n";
  EXPECT_EQ(build(kSpace + two).space.mu(1), 0.4);  // one number for all contacts
  EXPECT_TRUE(build(kSpace + two + "bilateral = true").space.bilateral[1]);
}

TEST(ContactSpaceScene, RefusesWhatIsMissingOrDoesNotFit) {
  for (const char* key : {"W", "b", "u", "mu"}) {
    std::string text = kSpace;
    for (const auto& [name, line] : std::vector<std::pair<std::string, std::string>>{
             {"W", "W = [[1, 0], [0, 1]]\n"}, {"b", "b = [0, 0]\n"}, {"u", "u = [0, 0]\n"}, {"mu", "mu = [1]\n"}}) {
      text += name == key ? "" : line;
    }
    expect_contains(build_error(text), {std::string("needs parameters.") + key});
  }
  expect_contains(build_error("mechanism = 'contact-space'"), {"needs [parameters]"});
  expect_contains(build_error(std::string(kSpace) + kUnit + "[state]\nt = 1"), {"no [state]"});
  expect_contains(build_error(std::string(kSpace) + kUnit + "[forces]\n"), {"no [forces]"});
  const std::string base = std::string(kSpace) + kUnit;
  const std::vector<std::pair<std::string, std::vector<std::string>>> cases = {
      {"W=[[1, 0.2], [0.3, 1]]", {"W is not symmetric", "0.2", "0.3"}},
      {"W=[[1, 2], [2, 1]]", {"W is not positive semidefinite", "eigenvalue"}},
      {"W=[[-1, 0], [0, 1]]", {"W is not positive semidefinite"}},
      {"W=[[1, 0, 0], [0, 1, 0], [0, 0, 1]]", {"W is 3 x 3", "expected 2 x 2"}},
      {"W=[[1, 0]]", {"W is 1 x 2"}},
      {"b=[0]", {"b has 1", "expected 2"}},
      {"u=[0, 0, 0]", {"u has 3", "expected 2"}},
      {"mu=[0.5, 0.5]", {"expected 4 x 4", "mu has 2 numbers"}},
      {"mu=-1", {"mu", "-1", ">= 0"}},
      {"gap=[0, 0]", {"gap has 2", "expected 1"}},
      {"drift=[0]", {"drift has 1", "expected 2"}},
      {"parameters.bilateral=[true, true]", {"bilateral has 2", "expected 1"}},
      {"parameters.bilateral=1", {"parameters.bilateral must be true or false"}},
      {"dimension=4", {"dimension is 4", "2 or 3"}},
      {"dimension=2.5", {"dimension is 2.5", "2 or 3"}},
      {"b=[0, nan]", {"parameters.b[1] must be a finite number"}},
      {"W=[[inf, 0], [0, 1]]", {"parameters.W", "finite"}},
  };
  for (const auto& [set, parts] : cases) {
    expect_contains(build_error(base, {set}), parts);
  }
  EXPECT_NO_THROW(build(base, {"W=[[1, 0.2], [0.2000000001, 1]]"}));  // symmetric to 1e-9 of the largest entry
  EXPECT_NO_THROW(build(base, {"W=[[1, 1], [1, 1]]"}));               // semidefinite
}

TEST(DriftingContactsScene, ReadsItsNumbers) {
  const std::string text = R"(
mechanism = "drifting-contacts"
[parameters]
P = [[1, -0.5], [0.3, 0.8]]
b = [0.5, -0.8]
P_rate = [[0, 0], [0, 1]]
b_rate = [0.1, 0]
epsilon = 1e-3
t_start = -0.02
[contact]
stiffness = 2
[contact.c2]
damping = 3
)";
  const Scene scene = build(text);
  const DriftingContacts& d = scene.drifting;
  EXPECT_EQ(scene.kind, SceneKind::drifting_contacts);
  EXPECT_EQ(d.P(0, 1), -0.5);
  EXPECT_EQ(d.b(1), -0.8);
  EXPECT_EQ(d.P_rate(1, 1), 1);
  EXPECT_EQ(d.b_rate(0), 0.1);
  EXPECT_TRUE(d.b_force.isZero(0));
  EXPECT_EQ(d.epsilon, 1e-3);
  EXPECT_EQ(d.t_start, -0.02);
  EXPECT_EQ(d.stiffness, Eigen::Vector2d(2, 2));
  EXPECT_EQ(d.damping, Eigen::Vector2d(1, 3));
  EXPECT_EQ(scene.t, 0);
  EXPECT_EQ(build(text, {"t=0.5"}).t, 0.5);
  const Scene plain = build("mechanism = 'drifting-contacts'\n[parameters]\nP = [[1]]\nb = [-1]");
  EXPECT_EQ(plain.drifting.epsilon, 1e-4);
  EXPECT_EQ(plain.drifting.t_start, -0.01);
  EXPECT_EQ(plain.drifting.stiffness(0), 1);
}

TEST(DriftingContactsScene, NeedsTheRightB) {
  const std::string head = "mechanism = 'drifting-contacts'\n[parameters]\nP = [[1, 0], [0, 1]]\n";
  const std::string coupled = head + "b_force = [[1, 0], [0, 0]]\n";
  expect_contains(build_error(head), {"parameters.b"});
  expect_contains(build_error(head + "b_start = [0, 0]"), {"parameters.b", "not b_start"});
  expect_contains(build_error(head + "b = [0, 0]\nb_start = [0, 0]"), {"not b_start"});
  expect_contains(build_error(coupled + "b = [0, 0]"), {"parameters.b_start", "not b"});
  expect_contains(build_error(coupled), {"parameters.b_start"});
  const Scene scene = build(coupled + "b_start = [1, 2]\nt_start = -0.05");
  EXPECT_EQ(scene.t, -0.05);  // the only time at which b is known
  EXPECT_EQ(scene.drifting.b(1), 2);
  expect_contains(build_error(coupled + "b_start = [1, 2]\n[state]\nt = 0"), {"state.t", "b_force"});
  EXPECT_NO_THROW(build(head + "b = [1, 2]\nb_force = [[0, 0], [0, 0]]"));
}

TEST(DriftingContactsScene, RefusesWhatDoesNotFit) {
  const std::string base = "mechanism = 'drifting-contacts'\n[parameters]\nP = [[1, 0], [0, 1]]\nb = [0, 0]\n";
  const std::vector<std::pair<std::string, std::vector<std::string>>> cases = {
      {"P=[[1, 0]]", {"P is 1 x 2"}},
      {"P_rate=[[1]]", {"P_rate is 1 x 1", "expected 2 x 2"}},
      {"b=[1]", {"b is 1 x 1"}},
      {"b_rate=[1, 2, 3]", {"b_rate"}},
      {"epsilon=0", {"epsilon is 0", "> 0"}},
      {"t_start=0.1", {"t_start is 0.1", "< 0"}},
      {"damping=0", {"damping", "> 0"}},
      {"P=[[nan, 0], [0, 1]]", {"parameters.P", "finite"}},
      {"contact.c3.mu=1", {"'contact.c3'"}},
      {"c1.closed=false", {"'closed'"}},
      {"contact.bilateral=true", {"'bilateral'"}},
      {"contact.c2.tangential_stiffness=1", {"'tangential_stiffness'", "friction is in P and b"}},
      {"contact.tangential_damping=1", {"'tangential_damping'", "friction is in P and b"}},
      {"state.theta=1", {"state.theta"}},
  };
  for (const auto& [set, parts] : cases) {
    expect_contains(build_error(base, {set}), parts);
  }
  expect_contains(build_error(base + "[forces]\n"), {"no [forces]"});
  expect_contains(build_error("mechanism = 'drifting-contacts'"), {"P and b"});
}

}  // namespace contact_numbers_test
}  // namespace painleve
