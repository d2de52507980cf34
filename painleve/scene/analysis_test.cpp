// The analysis of one state, and the JSON that scripts rely on.
#include "painleve/scene/analysis.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "painleve/base/draws.hpp"
#include "painleve/base/error.hpp"
#include "painleve/scene/contact_space_json.hpp"

namespace painleve {
namespace analysis_test {

using Json = nlohmann::ordered_json;
using Sets = std::vector<std::string>;
using Names = std::vector<std::string>;

Scene open(const std::string& name, const Sets& sets = {}) {
  SceneSource source = SceneSource::open(name);
  for (const auto& set : sets) {
    source.set(set);
  }
  return source.build();
}

Json analysis(const std::string& name, const Sets& sets = {}) { return to_json(analyze(open(name, sets))); }

// One planar contact by its numbers.
Json planar(const std::string& W, const std::string& b, const std::string& u, const std::string& mu,
            const Sets& more = {}) {
  SceneSource source = SceneSource::parse("mechanism = 'contact-space'", "numbers");
  source.set("W=" + W);
  source.set("b=" + b);
  source.set("u=" + u);
  source.set("mu=" + mu);
  for (const auto& set : more) {
    source.set(set);
  }
  return to_json(analyze(source.build()));
}

Sets defaults(const GalleryEntry& entry) {
  return entry.name == "rigid-body" ? Sets{"points=[[-1, -1], [1, -1]]", "normals=[[0, 1], [0, 1]]"} : Sets{};
}

const Json& mode(const Json& j, const std::string& name) {
  for (const auto& m : j["modes"]) {
    if (m["name"] == name) {
      return m;
    }
  }
  ADD_FAILURE() << "no mode " << name;
  return j["modes"][0];
}

// The contract.

Names words(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

const Names kTop = words(
    "schema command mechanism dimension parameters state W b drift u contacts modes consistent_modes iwc continuations "
    "resolution verdict jam complete force_family_dimension motion_family_dimension class gspot");
const Names kContact = words(
    "name closed bilateral gap mu u_t u_n b_t b_n W_tt W_tn W_nn p p_plus p_minus k_plus k_minus mu_crit mu_jam "
    "mu_jam_held e_jam locking_angle Q");
const Names kMode = words(
    "name consistent boundary reason lambda_n lambda_t a_n a_t slip_direction stability growth_rate frequency "
    "residual");

void expect_keys(const Json& j, const Names& keys) {
  for (const auto& key : keys) {
    EXPECT_TRUE(j.contains(key)) << key;
  }
}

bool holds_null(const Json& j) {
  return j.is_null() || (j.is_array() && std::any_of(j.begin(), j.end(), [](const Json& x) { return holds_null(x); }));
}

// Every null, also one inside a list, has its reason beside it; every number is finite.
void expect_reasons(const Json& j, const std::string& path) {
  if (j.is_number_float()) {
    EXPECT_TRUE(std::isfinite(j.get<double>())) << path;
  }
  if (j.is_array()) {
    for (std::size_t i = 0; i < j.size(); ++i) {
      expect_reasons(j[i], path + "/" + std::to_string(i));
    }
  }
  if (!j.is_object()) {
    return;
  }
  for (const auto& [key, value] : j.items()) {
    expect_reasons(value, path + "/" + key);
    if (holds_null(value)) {
      const bool has = j.contains(key + "_reason") && j[key + "_reason"].is_string();
      EXPECT_TRUE(has && !j[key + "_reason"].get<std::string>().empty())
          << path << "/" << key << " is null without a reason";
    }
  }
}

void expect_contract(const Json& j) {
  expect_keys(j, kTop);
  EXPECT_EQ(j["schema"], 1);
  EXPECT_EQ(j["command"], "analyze");
  expect_keys(j["state"], {"q", "v", "t"});
  for (const auto& contact : j["contacts"]) {
    expect_keys(contact, kContact);
  }
  for (const auto& m : j["modes"]) {
    expect_keys(m, kMode);
    EXPECT_EQ(m["consistent"].get<bool>(), m["reason"] == "") << m["name"];  // rejected ones say why
    EXPECT_EQ(m["consistent"].get<bool>(), !m["residual"].is_null()) << m["name"];
  }
  if (j["iwc"].is_array()) {
    for (const auto& i : j["iwc"]) {
      expect_keys(i, {"name", "necessary", "possible", "reason"});
    }
  }
  if (j["gspot"].is_object()) {
    expect_keys(j["gspot"], {"alpha", "portrait", "lambda_limit"});
    EXPECT_EQ(j["gspot"]["alpha"].size(), 3U);
  }
  expect_reasons(j, "");
  EXPECT_EQ(Json::parse(j.dump()), j);  // survives being printed
}

TEST(AnalysisJson, KeepsTheContractForEveryScenario) {
  for (const auto& scenario : scenarios()) {
    SCOPED_TRACE(scenario.name);
    const Json j = analysis(scenario.name);
    expect_contract(j);
    EXPECT_EQ(j["scene"], scenario.name);
  }
}

TEST(AnalysisJson, KeepsTheContractForEveryMechanism) {
  for (const auto& entry : gallery()) {
    SCOPED_TRACE(entry.name);
    const Json j = analysis(entry.name, defaults(entry));
    expect_contract(j);
    EXPECT_EQ(j["mechanism"], entry.name);
    EXPECT_EQ(j["dimension"], entry.dimension);
    for (const auto& c : entry.coordinates) {
      EXPECT_TRUE(j["state"]["q"].contains(c.name) && j["state"]["v"].contains(c.name));
    }
    for (const auto& p : entry.parameters) {
      EXPECT_TRUE(j["parameters"].contains(p.name)) << p.name;
    }
  }
}

TEST(AnalysisJson, KeepsTheContractInOddStates) {
  expect_contract(analysis("rod", {"contact.tip.closed=false", "y=2"}));
  expect_contract(planar("[[0, 0], [0, 0]]", "[0, -1]", "[1, 0]", "0.5"));       // nothing moves
  expect_contract(planar("[[0, 0], [0, 1]]", "[0, 0]", "[0, 0]", "0"));          // no friction, no load
  expect_contract(planar("[[1, 0.5], [0.5, 1]]", "[0, -1]", "[0, -1]", "0.5"));  // approaches
  expect_contract(planar("[[1, 0.5], [0.5, 1]]", "[0, -1]", "[0, 0]", "1e9"));   // hardly slides
  expect_contract(planar("[[1, 0.5], [0.5, 1]]", "[0, -1]", "[1, 0]", "2", {"parameters.bilateral=true"}));
}

TEST(AnalysisJson, KeepsTheContractWhenForcesOverflow) {
  try {
    expect_contract(planar("[[1e-300, 0], [0, 1e-300]]", "[0, -1e300]", "[1, 0]", "0.5"));
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()), "");  // to refuse such numbers is as good
  }
}

TEST(AnalysisJson, IsTheSameEveryTime) {
  for (const auto& scenario : scenarios()) {
    EXPECT_EQ(analysis(scenario.name).dump(), analysis(scenario.name).dump()) << scenario.name;
  }
}

// Touch.

TEST(Analysis, ApproachingContactIsAnImpact) {
  const Json j = analysis("rod", {"contact.tip.closed=false", "y=0.86602540378443865", "y_dot=-1"});
  EXPECT_EQ(j["contacts"][0]["touch"], "approaching");
  EXPECT_EQ(j["verdict"], "impact");
  EXPECT_TRUE(j["modes"].empty());
  EXPECT_TRUE(j["continuations"].is_null());
}

TEST(Analysis, SeparatingContactIsFree) {
  const Json j = analysis("rod", {"contact.tip.closed=false", "y=0.86602540378443865", "y_dot=1"});
  EXPECT_EQ(j["contacts"][0]["touch"], "separating");
  EXPECT_EQ(j["verdict"], "unique");
  EXPECT_EQ(j["consistent_modes"], (Names{"F"}));
  EXPECT_EQ(j["modes"].size(), 1U);
}

TEST(Analysis, OpenContactHasNoModes) {
  const Json j = analysis("rod", {"contact.tip.closed=false", "y=2", "y_dot=-3"});
  EXPECT_EQ(j["contacts"][0]["touch"], "open");
  EXPECT_EQ(j["contacts"][0]["closed"], false);
  EXPECT_EQ(j["verdict"], "unique");
  EXPECT_EQ(j["resolution"], "one");
  EXPECT_TRUE(j["modes"].empty());
  EXPECT_FALSE(j["jam"].get<bool>());
}

TEST(Analysis, ToleranceDecidesWhatIsClosedAndAtRest) {
  EXPECT_EQ(analysis("rod", {"slip=1e-8"})["contacts"][0]["touch"], "slipping");
  EXPECT_EQ(analysis("rod", {"slip=1e-10"})["contacts"][0]["touch"], "resting");
  EXPECT_EQ(analysis("rod", {"slip=1e-4", "tolerance.velocity=1e-3"})["contacts"][0]["touch"], "resting");
  const Sets lifted = {"contact.tip.closed=false", "y=0.8661"};
  EXPECT_EQ(analysis("rod", lifted)["contacts"][0]["touch"], "open");
  EXPECT_EQ(analysis("rod", {lifted[0], lifted[1], "tolerance.gap=1 mm", "x_dot=1"})["contacts"][0]["touch"],
            "slipping");
}

// Known cases.

const double kMinusA = 9 * std::sqrt(3.0) / 8 - 7.0 / 4;  // -p of Preclik & Rüde's rod, eqs. (10)-(11)

TEST(Analysis, RodWithoutSolution) {
  const Json j = analysis("rod-no-solution");
  EXPECT_EQ(j["verdict"], "inconsistent");
  EXPECT_TRUE(j["consistent_modes"].empty());
  EXPECT_EQ(j["continuations"], (Names{"I"}));  // the impact without collision resolves it
  EXPECT_EQ(j["resolution"], "one");
  EXPECT_TRUE(j["jam"].get<bool>());
  EXPECT_NEAR(j["contacts"][0]["p"].get<double>(), -kMinusA, 1e-14);
  EXPECT_NEAR(mode(j, "S-")["lambda_n"][0].get<double>(), -1 / kMinusA, 1e-12);  // it would have to pull
  EXPECT_EQ(analysis("rod-no-solution", {"mu=1.3"})["verdict"], "unique");
}

TEST(Analysis, RodWithSeveralSolutions) {
  const Json j = analysis("rod-three-solutions");
  EXPECT_EQ(j["verdict"], "indeterminate");
  EXPECT_EQ(j["consistent_modes"], (Names{"F", "S-"}));
  EXPECT_EQ(mode(j, "F")["lambda_n"][0], 0.0);
  EXPECT_NEAR(mode(j, "F")["a_n"][0].get<double>(), 1.5, 1e-14);
  EXPECT_NEAR(mode(j, "S-")["lambda_n"][0].get<double>(), 1.5 / kMinusA, 1e-12);
  EXPECT_NEAR(mode(j, "S-")["lambda_t"][0][0].get<double>(), 2.25 / kMinusA, 1e-12);
  EXPECT_LT(mode(j, "S-")["residual"].get<double>(), 1e-12);
  EXPECT_EQ(mode(j, "S-")["stability"], "unstable");
  EXPECT_EQ(j["continuations"], (Names{"F", "I"}));
}

TEST(Analysis, ArmWithTwoSolutions) {
  const Json j = analysis("arm-two-solutions");
  EXPECT_EQ(j["verdict"], "indeterminate");
  EXPECT_EQ(j["consistent_modes"], (Names{"F", "S"}));
  EXPECT_EQ(mode(j, "F")["lambda_n"][0], 0.0);
  EXPECT_NEAR(mode(j, "S")["lambda_n"][0].get<double>(), 10.291152677810427, 1e-11);
  EXPECT_EQ(mode(j, "S")["slip_direction"][0].size(), 2U);
  EXPECT_EQ(analysis("arm-jam")["verdict"], "inconsistent");
  EXPECT_EQ(analysis("arm-two-solutions", {"density=2"})["verdict"], "inconsistent");  // as stated in print
}

TEST(Analysis, KleinsExampleHasAsManySolutionsAsThePrintedOnes) {
  const auto rod_forces = [](const Sets& sets) {
    const Json j = analysis("klein-several", sets);
    std::vector<double> R;
    for (const auto& m : j["modes"]) {
      if (m["consistent"].get<bool>()) {
        R.push_back(m["lambda_n"][1].get<double>() / std::sin(1.2));
      }
    }
    std::sort(R.begin(), R.end());
    return R;
  };
  const auto one = rod_forces({"guide2.mu=0.5"});
  ASSERT_EQ(one.size(), 1U);
  EXPECT_NEAR(one[0], 0.8398173870613005, 1e-14);
  const auto two = rod_forces({});
  ASSERT_EQ(two.size(), 2U);
  EXPECT_NEAR(two[0], -1.4851269290517506, 1e-13);
  EXPECT_NEAR(two[1], 0.4710816766343778, 1e-14);
  EXPECT_TRUE(rod_forces({"force2=-1"}).empty());
}

// Two masses on guides: none or several solutions exactly when |m1 mu2 - m2 mu1| > (m1 + m2) cot(phi) (E29).
TEST(Analysis, KleinsThreshold) {
  Draws draws(17);
  int paradoxes = 0;
  for (int k = 0; k < 400; ++k) {
    const double m1 = draws.uniform(0.1, 3);
    const double m2 = draws.uniform(0.1, 3);
    const double mu1 = draws.uniform(0, 2);
    const double mu2 = draws.uniform(0, 2);
    const double phi = draws.uniform(0.2, 1.5);
    SceneSource source = SceneSource::open("painleve-klein");
    source.set("mass1", m1);
    source.set("mass2", m2);
    source.set("guide1.mu", mu1);
    source.set("guide2.mu", mu2);
    source.set("phi", phi);
    source.set("slip", draws.uniform() < 0.5 ? -1.0 : 1.0);
    source.set("force1", draws.uniform(-1, 1));
    source.set("force2", draws.uniform(-1, 1));
    const Json j = to_json(analyze(source.build()));
    const double excess = std::abs(m1 * mu2 - m2 * mu1) - (m1 + m2) / std::tan(phi);
    if (std::abs(excess) < 1e-6) {
      continue;
    }
    const bool paradox = excess > 0;
    paradoxes += paradox ? 1 : 0;
    EXPECT_EQ(j["verdict"] != "unique", paradox) << "draw " << k << " of Draws(17): " << j["verdict"];
    EXPECT_EQ(j["consistent_modes"].size() != 1, paradox) << "draw " << k << " of Draws(17)";
  }
  EXPECT_GT(paradoxes, 50);
}

TEST(Analysis, BoundariesOfOneContact) {
  const std::string W = "[[1, 0.5], [0.5, 1]]";  // p = 0 at mu = 2 for slip along +t
  EXPECT_EQ(planar(W, "[0, 1]", "[1, 0]", "2")["consistent_modes"], (Names{"F"}));
  EXPECT_EQ(planar(W, "[0, -1]", "[1, 0]", "2")["verdict"], "inconsistent");
  const Json ray = planar(W, "[0, 0]", "[1, 0]", "2");
  EXPECT_EQ(ray["force_family_dimension"], 1);
  EXPECT_TRUE(ray["jam"].get<bool>());
  EXPECT_EQ(ray["contacts"][0]["p"], 0.0);
  const Json touch = planar(W, "[0, 0]", "[1, 0]", "1");
  EXPECT_EQ(touch["consistent_modes"], (Names{"F"}));
  EXPECT_TRUE(mode(touch, "F")["boundary"].get<bool>());
  EXPECT_EQ(planar(W, "[0, -1]", "[0, 0]", "0.5")["consistent_modes"], (Names{"T"}));  // on the edge of the cone
  const Json held = planar(W, "[0, 1]", "[1, 0]", "1", {"parameters.bilateral=true"});
  EXPECT_EQ(held["consistent_modes"].size(), 1U);
  EXPECT_NEAR(mode(held, "S+")["lambda_n"][0].get<double>(), -1 / 1.5, 1e-14);  // it pulls, friction opposes the slip
}

TEST(Analysis, ConeOfASpatialRod) {
  const Json c = analysis("rod-45deg")["contacts"][0];
  EXPECT_NEAR(c["mu_jam"].get<double>(), 5.0 / 3, 1e-14);
  EXPECT_NEAR(c["mu_crit"].get<double>(), 0.6, 1e-14);
  EXPECT_NEAR(c["locking_angle"].get<double>(), 2 * std::acos(5.0 / 6), 1e-14);
  EXPECT_TRUE(c["p_plus"].is_null() && c["k_minus"].is_null());
  // no coupling of tangent and normal: friction alone cannot jam
  const Json apart = planar("[[1, 0], [0, 1]]", "[0, -1]", "[1, 0]", "5")["contacts"][0];
  EXPECT_TRUE(apart["mu_jam"].is_null() && apart["e_jam"].is_null());
  EXPECT_EQ(apart["locking_angle"], 0.0);
}

TEST(Analysis, ClassIsForTwoSlippingPlanarContacts) {
  EXPECT_EQ(analysis("fig15a")["class"], "261");
  EXPECT_EQ(analysis("fig15b")["class"], "142");
  EXPECT_EQ(analysis("table-a1-7d", {"t=0.001"})["class"].get<std::string>().substr(0, 2), "46");
  EXPECT_TRUE(analysis("tumbling-body")["class"].is_null());  // at rest
  EXPECT_TRUE(analysis("klein-several")["class"].is_null());  // bilateral
  EXPECT_TRUE(analysis("rod")["class"].is_null());
}

TEST(Analysis, DriftingContactsAreSeenAtTheChosenTime) {
  const Json before = analysis("table-a1-6b", {"t=-0.001"});
  const Json after = analysis("table-a1-6b", {"t=0.001"});
  EXPECT_EQ(before["consistent_modes"], (Names{"FF", "FS", "SS"}));
  EXPECT_EQ(before["class"], "144");
  EXPECT_EQ(after["consistent_modes"], (Names{"FF"}));
  EXPECT_EQ(after["class"], "145");
  EXPECT_NEAR(after["P"][1][1].get<double>() - before["P"][1][1].get<double>(), 0.002, 1e-15);
  EXPECT_EQ(after["state"]["t"], 0.001);
}

// A contact space is all that an analysis needs.

double snapped(double x) { return std::abs(x) <= 1e-9 ? 0 : x; }  // contact spaces take numbers at face value

nlohmann::json as_numbers(const Scene& scene) {
  const ContactSpace& s = scene.space;
  nlohmann::json j = {{"dimension", s.dimension}, {"names", s.names}};
  for (Eigen::Index i = 0; i < s.W.rows(); ++i) {
    j["W"].push_back(std::vector<double>(s.W.row(i).begin(), s.W.row(i).end()));
    j["b"].push_back(s.b(i));
    j["drift"].push_back(s.drift(i));
    j["u"].push_back(snapped(s.u(i)));
  }
  for (int i = 0; i < s.count(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    j["mu"].push_back(s.mu(i));
    j["gap"].push_back(snapped(s.gap(i)));
    j["bilateral"].push_back(static_cast<bool>(s.bilateral[k]));
    if (scene.laws[k].stiffness) {
      j["stiffness"].push_back(*scene.laws[k].stiffness);
    }
  }
  return j;
}

// A state away from the default one; what cannot be reached leaves the default posture with other friction and loads.
Scene drawn(const GalleryEntry& entry, Draws& draws) {
  SceneSource source = SceneSource::open(entry.name);
  for (const auto& set : defaults(entry)) {
    source.set(set);
  }
  source.set("contact.mu", draws.uniform(0, 2.5));
  for (const auto& force : entry.forces) {
    if (force.components == 1) {
      source.set("forces." + force.name, draws.uniform(-5, 5));
    }
  }
  SceneSource moved = source;
  const auto solved = [&](const std::string& name) {
    return std::find(entry.solved.begin(), entry.solved.end(), name) != entry.solved.end();
  };
  for (const auto& c : entry.coordinates) {
    if (!solved(c.name)) {
      moved.set("state." + c.name, c.fallback + draws.uniform(-0.3, 0.3));
    }
    if (!solved(c.name + "_dot")) {
      moved.set("state." + c.name + "_dot", draws.uniform(-1, 1));
    }
  }
  if (entry.default_slip.size() == 1) {
    moved.set("slip", static_cast<double>(draws.integer(-1, 1)));
  }
  try {
    return moved.build();
  } catch (const InputError&) {
    return source.build();
  }
}

TEST(Analysis, OfAMechanismIsThatOfItsContactSpace) {
  for (const auto& entry : gallery()) {
    Draws draws(5);
    for (int k = 0; k < 20; ++k) {
      SCOPED_TRACE(entry.name + ", draw " + std::to_string(k));
      const Scene scene = drawn(entry, draws);
      const Json body = to_json(analyze(scene));
      const Json numbers = to_json(analyze(scene_from_json(as_numbers(scene))));
      expect_contract(body);
      for (const char* key :
           {"verdict", "modes", "consistent_modes", "iwc", "continuations", "resolution", "jam", "complete",
            "force_family_dimension", "motion_family_dimension", "class", "W", "b", "drift", "rank"}) {
        EXPECT_EQ(body[key], numbers[key]) << key;
      }
      for (std::size_t i = 0; i < body["contacts"].size(); ++i) {
        for (const char* key :
             {"name", "closed", "touch", "p", "p_plus", "p_minus", "k_plus", "k_minus", "mu_crit", "mu_jam",
              "mu_jam_held", "e_jam", "locking_angle", "Q", "W_tt", "W_tn", "W_nn", "b_t", "b_n"}) {
          EXPECT_EQ(body["contacts"][i][key], numbers["contacts"][i][key]) << key;
        }
      }
    }
  }
}

TEST(ContactSpaceJson, RefusesWhatItCannotUse) {
  const nlohmann::json good = {{"W", {{1, 0}, {0, 1}}}, {"b", {0, -1}}, {"u", {1, 0}}, {"mu", 0.5}};
  const auto text = [&](const char* key, const nlohmann::json& value) {
    nlohmann::json j = good;
    j[key] = value;
    try {
      scene_from_json(j);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_EQ(text("dimension", 2), "no error");
  EXPECT_EQ(text("mu", {0.5}), "no error");
  EXPECT_EQ(to_json(analyze(scene_from_json({{"parameters", good}})))["verdict"], "unique");
  for (const auto& [key, value, part] : std::vector<std::tuple<const char*, nlohmann::json, std::string>>{
           {"Wz", 1, "unknown key 'Wz'"},
           {"W", 1, "W must be a list of rows"},
           {"W", {{1, 0}, {0}}, "W has rows of different length"},
           {"W", {{1, 2}, {2, 1}}, "not positive semidefinite"},
           {"W", {{1, "a"}, {0, 1}}, "W must hold finite numbers"},
           {"b", {0, nullptr}, "b must hold finite numbers"},
           {"b", {0}, "b has 1"},
           {"u", {0, 0, 0}, "u has 3"},
           {"mu", -1, ">= 0"},
           {"mu", "rough", "mu must be a list of numbers"},
           {"dimension", 4, "dimension is 4"},
           {"bilateral", 1, "bilateral must be"},
           {"names", {"a", "b"}, "names has 2"},
           {"names", {1}, "names must be a list of words"},
           {"stiffness", -1, "stiffness must hold"},
           {"damping", {1, 2}, "damping must hold"}}) {
    EXPECT_NE(text(key, value).find(part), std::string::npos) << key << " = " << value << ": " << text(key, value);
  }
  for (const char* key : {"W", "b", "u", "mu"}) {
    nlohmann::json j = good;
    j.erase(key);
    EXPECT_THROW(scene_from_json(j), InputError) << key;
  }
  EXPECT_THROW(scene_from_json(nlohmann::json::array()), InputError);
}

}  // namespace analysis_test
}  // namespace painleve
