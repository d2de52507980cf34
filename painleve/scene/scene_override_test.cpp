// Values of a scenario that are set from outside.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "painleve/base/error.hpp"
#include "painleve/scene/detail/built_scenes.hpp"
#include "painleve/scene/vocabulary.hpp"

namespace painleve {
namespace scene_override_test {

using detail::build_error;
using detail::expect_contains;
using detail::message;
using detail::open;
using detail::open_error;

TEST(SceneOverride, TakesFullPathsAndBareNames) {
  SceneSource source = SceneSource::open("rod");
  source.set("parameters.mass=2");
  source.set("theta=60deg");
  source.set("contact.tip.mu=2");
  source.set("slip", -1.5);
  const Scene scene = source.build();
  EXPECT_EQ(scene.posed.parameters.at("mass"), 2);
  EXPECT_EQ(scene.space.mu(0), 2);
  EXPECT_NEAR(scene.space.u(0), -1.5, 1e-15);
  EXPECT_EQ(source.resolve("theta"), "state.theta");
  EXPECT_EQ(source.resolve("mass"), "parameters.mass");
  EXPECT_EQ(source.resolve("torque"), "forces.torque");
  EXPECT_EQ(source.resolve("mu"), "contact.mu");
  EXPECT_EQ(source.resolve("tip.mu"), "contact.tip.mu");
  EXPECT_EQ(source.resolve("slip.tip"), "state.slip.tip");
  EXPECT_EQ(source.unit("state.theta"), "rad");
  EXPECT_EQ(source.unit("state.theta_dot"), "rad/s");
  EXPECT_EQ(source.unit("state.slip.tip"), "m/s");
  EXPECT_EQ(source.unit("parameters.gravity"), "m/s^2");
  EXPECT_EQ(source.unit("contact.tip.stiffness"), "N/m");
  EXPECT_EQ(source.unit("contact.mu"), "1");
  EXPECT_EQ(source.unit("forces.torque"), "N m");
  EXPECT_EQ(source.mechanism(), "rod");
}

TEST(SceneOverride, LeavesCopiesAlone) {
  SceneSource source = SceneSource::open("rod");
  SceneSource copy = source;
  copy.set("mu=2");
  EXPECT_EQ(source.build().space.mu(0), 0.5);
  EXPECT_EQ(copy.build().space.mu(0), 2);
}

TEST(SceneOverride, ForAllContactsReplacesSingleOnes) {
  // rod-no-solution sets the friction of the tip; one who asks for another friction means it.
  EXPECT_EQ(open("rod-no-solution", {"mu=0.2"}).space.mu(0), 0.2);
  EXPECT_EQ(open("rod-no-solution", {"mu=0.2", "tip.mu=0.3"}).space.mu(0), 0.3);
  const Scene feet = open("tumbling-body", {"contact.mu=0.6"});
  EXPECT_EQ(feet.space.mu(0), 0.6);
  EXPECT_EQ(feet.space.mu(1), 0.6);
}

TEST(SceneOverride, RefusesWhatIsNotAnAssignment) {
  expect_contains(open_error("rod", {"mass"}), {"key=value", "'mass'"});
  expect_contains(open_error("rod", {"=3"}), {"key=value"});
  expect_contains(open_error("rod", {"mass="}), {"parameters.mass"});
  expect_contains(open_error("rod", {"mass=1\ngravity=2"}), {"one value"});
}

TEST(SceneOverride, NamesUnknownAndAmbiguousKeys) {
  expect_contains(open_error("rod", {"mas=2"}), {"unknown key 'mas'", "did you mean 'mass'"});
  expect_contains(open_error("rod", {"parameters.mas=2"}), {"'parameters.mas'", "did you mean 'parameters.mass'"});
  expect_contains(open_error("rod", {"contact.tip.muu=2"}), {"'contact.tip.muu'", "did you mean 'contact.tip.mu'"});
  expect_contains(open_error("rod", {"tpi.mu=2"}), {"'contact.tpi'", "did you mean 'contact.tip'"});
  // foot1 is a parameter and the name of a contact, stiffness a key of contacts although brake-pad has bushings
  expect_contains(open_error("two-link", {"torque=1"}), {"unknown key 'torque'", "torque1"});
  EXPECT_EQ(SceneSource::open("two-legged-body").resolve("foot1"), "parameters.foot1");
  EXPECT_EQ(SceneSource::open("brake-pad").resolve("stiffness"), "contact.stiffness");
}

TEST(SceneOverride, EveryBareNameResolvesOrIsAmbiguous) {
  for (const auto& entry : gallery()) {
    for (const auto& keys : {parameter_keys(entry), state_keys(entry), force_keys(entry)}) {
      for (const auto& key : keys) {
        const std::string text = message([&] {
          const std::string path = resolve_key(entry.name, key);
          EXPECT_TRUE(path.ends_with("." + key)) << entry.name << " " << key << " -> " << path;
        });
        EXPECT_TRUE(text == "no error" || text.find("ambiguous") != std::string::npos) << entry.name << ": " << text;
      }
    }
  }
}

TEST(SceneOverride, SaysTheTwoMeaningsOfAnAmbiguousName) {
  const std::string text = message([] { resolve_key("contact-space", "bilateral"); });
  expect_contains(text, {"'bilateral' is ambiguous", "parameters.bilateral or contact.bilateral"});
  EXPECT_EQ(resolve_key("contact-space", "mu"), "parameters.mu");  // where the numbers of a contact space stand
}

TEST(SceneOverride, MessagesDoNotPointIntoTheFile) {
  const std::string text = open_error("rod-no-solution", {"mass=[1]"});
  expect_contains(text, {"parameters.mass", "must be a number"});
  EXPECT_EQ(text.find("line"), std::string::npos) << text;
  // while those about the file still do, after an override
  expect_contains(build_error("mechanism = 'rod'\n[parameters]\ngravity = true", {"mass=2"}),
                  {"scene.toml", "line 3", "parameters.gravity"});
}

}  // namespace scene_override_test
}  // namespace painleve
