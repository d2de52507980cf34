// Every quantity against the verb that prints it: what the map says is what the JSON says, reasons included.
#include "painleve/study/quantity.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "painleve/base/error.hpp"
#include "painleve/base/unit.hpp"
#include "painleve/scene/analysis.hpp"
#include "painleve/study/detail/map_problems.hpp"
#include "painleve/study/scene_findings.hpp"

namespace painleve {
namespace quantity_test {

using namespace detail;

using Json = nlohmann::ordered_json;

struct Setting {
  std::string scene;
  std::vector<std::string> set;
};

Scene scene_of(const Setting& setting) {
  SceneSource source = SceneSource::open(setting.scene);
  for (const auto& assignment : setting.set) source.set(assignment);
  return source.build();
}

// Slip, rest, free flight, approach, several contacts, space, raw numbers, drifting contacts.
std::vector<Setting> settings() {
  std::vector<Setting> all;
  for (const auto& scenario : scenarios()) all.push_back({scenario.name, {}});
  for (const auto& entry : gallery())
    if (entry.lists.empty()) all.push_back({entry.name, {}});
  all.push_back({"rod", {"slip=0", "mu=2"}});
  all.push_back({"rod", {"theta=45deg", "mu=2", "slip=-1"}});
  all.push_back({"rod", {"theta=90deg"}});
  all.push_back({"rod", {"contact.tip.closed=false", "y=2"}});
  all.push_back({"rod", {"contact.tip.closed=false", "y_dot=-1", "y=0.8660254037844386", "theta=60deg"}});
  all.push_back({"rod", {"mu=1.4", "theta=60deg", "restitution=0.5"}});
  all.push_back({"rod-3d", {"slip=[0, 0]"}});
  return all;
}

std::string joined(const Json& list) {
  std::vector<std::string> words;
  for (const auto& word : list) words.push_back(word.get<std::string>());
  return words.empty() ? "none" : fmt::format("{}", fmt::join(words, "|"));
}

QuantityValue value_of(const std::string& name, const Scene& scene) {
  SceneFindings findings(scene);
  return Quantity::parse(name).value(findings);
}

// A value is what stands under the key, or nothing with the reason that stands beside null.
void expect_json(const QuantityValue& value, const Json& j, const std::string& key) {
  SCOPED_TRACE(key);
  ASSERT_TRUE(j.contains(key));
  const Json& expected = j[key];
  if (expected.is_null()) {
    EXPECT_FALSE(value.exists());
    EXPECT_EQ(value.reason, j[key + "_reason"].get<std::string>());
    return;
  }
  ASSERT_TRUE(value.exists()) << value.reason;
  EXPECT_TRUE(value.reason.empty());
  if (expected.is_number()) {
    EXPECT_EQ(*value.number, expected.get<double>());
  } else if (expected.is_boolean()) {
    EXPECT_EQ(*value.word, expected.get<bool>() ? "yes" : "no");
  } else if (expected.is_array()) {
    EXPECT_EQ(*value.word, joined(expected));
  } else {
    EXPECT_EQ(*value.word, expected.get<std::string>());
  }
}

TEST(Quantity, SettingsShowEveryVerdictAndFreeFlight) {
  std::set<std::string> verdicts, reasons;
  for (const auto& setting : settings()) {
    const Scene scene = scene_of(setting);
    verdicts.insert(value_of("verdict", scene).word.value_or(""));
    reasons.insert(value_of("consistent_modes", scene).reason);
  }
  for (const char* verdict : {"unique", "inconsistent", "indeterminate", "impact"})
    EXPECT_TRUE(verdicts.contains(verdict)) << verdict;
  EXPECT_TRUE(reasons.contains("no contact is closed"));
  EXPECT_TRUE(reasons.contains("a contact approaches: the impact comes first"));
}

TEST(Quantity, OfContactsIsWhatAnalyzePrints) {
  for (const auto& setting : settings()) {
    SCOPED_TRACE(setting.scene);
    const Scene scene = scene_of(setting);
    const Json j = to_json(analyze(scene));
    for (const auto& contact : j["contacts"]) {
      const auto name = contact["name"].get<std::string>();
      for (const char* key : {"mu_jam", "mu_crit", "mu_jam_held", "locking_angle", "p", "p_plus", "p_minus", "k_plus",
                              "k_minus", "b_n", "W_nn", "gap", "u_n", "mu"})
        expect_json(value_of(name + "." + key, scene), contact, key);
      if (j["dimension"] != 2 || scene.kind == SceneKind::drifting_contacts) continue;
      EXPECT_EQ(value_of(name + ".b_t", scene).number, contact["b_t"][0].get<double>());
      EXPECT_EQ(value_of(name + ".u_t", scene).number, contact["u_t"][0].get<double>());
      EXPECT_EQ(value_of(name + ".W_tn", scene).number, contact["W_tn"][0].get<double>());
      EXPECT_EQ(value_of(name + ".W_tt", scene).number, contact["W_tt"][0][0].get<double>());
      const auto ratio = value_of(name + ".jam_ratio", scene);
      if (contact["mu_jam"].is_null()) {
        EXPECT_EQ(ratio.reason, contact["mu_jam_reason"].get<std::string>());
      } else {
        EXPECT_EQ(*ratio.number, contact["mu"].get<double>() / contact["mu_jam"].get<double>());
      }
    }
  }
}

TEST(Quantity, VectorsInSpaceHaveNoNumber) {
  const Scene rod = scene_of({"rod-3d", {}});
  for (const char* key : {"b_t", "u_t", "W_tn", "W_tt"})
    EXPECT_EQ(value_of(key, rod).reason, "defined for planar contacts") << key;
}

TEST(Quantity, OfTheSceneIsWhatAnalyzePrints) {
  for (const auto& setting : settings()) {
    SCOPED_TRACE(setting.scene);
    const Scene scene = scene_of(setting);
    const Json j = to_json(analyze(scene));
    for (const char* key : {"verdict", "continuations", "resolution", "class", "jam"})
      expect_json(value_of(key, scene), j, key);
    const char* alphas[] = {"alpha1", "alpha2", "alpha3"};
    for (std::size_t k = 0; k < 3; ++k) {
      const auto alpha = value_of(alphas[k], scene);
      if (j["gspot"].is_null()) {
        EXPECT_EQ(alpha.reason, j["gspot_reason"].get<std::string>());
      } else {
        EXPECT_EQ(*alpha.number, j["gspot"]["alpha"][k].get<double>());
      }
    }
    if (!j["gspot"].is_null()) {
      expect_json(value_of("portrait", scene), j["gspot"], "portrait");
      expect_json(value_of("lambda_limit", scene), j["gspot"], "lambda_limit");
    }
  }
}

TEST(Quantity, ModesAreThoseOfAnalyze) {
  for (const auto& setting : settings()) {
    SCOPED_TRACE(setting.scene);
    const Scene scene = scene_of(setting);
    const Json j = to_json(analyze(scene));
    const auto modes = value_of("consistent_modes", scene);
    const auto stability = value_of("stability", scene);
    const auto rate = value_of("growth_rate", scene);
    if (!modes.exists()) {  // an impact, free flight, or a list that is not complete
      const bool none_closed = std::none_of(j["contacts"].begin(), j["contacts"].end(),
                                            [](const Json& c) { return c["closed"].get<bool>(); });
      EXPECT_TRUE(j["verdict"] == "impact" || none_closed || j["complete"] == false);
      EXPECT_FALSE(modes.reason.empty());
      EXPECT_EQ(stability.reason, modes.reason);
      EXPECT_EQ(rate.reason, modes.reason);
      continue;
    }
    EXPECT_EQ(*modes.word, joined(j["consistent_modes"]));
    EXPECT_EQ(*value_of("modes", scene).number, static_cast<double>(j["consistent_modes"].size()));
    std::vector<std::string> words;
    std::optional<double> fastest, frequency;
    for (const auto& mode : j["modes"]) {
      if (!mode["consistent"].get<bool>()) continue;
      words.push_back(mode["name"].get<std::string>() + ":" + mode["stability"].get<std::string>());
      if (mode["growth_rate"].is_null() || (fastest && mode["growth_rate"].get<double>() <= *fastest)) continue;
      fastest = mode["growth_rate"].get<double>();
      frequency = mode["frequency"].get<double>();
    }
    EXPECT_EQ(*stability.word, words.empty() ? "none" : fmt::format("{}", fmt::join(words, "|")));
    EXPECT_EQ(rate.number, fastest);
    EXPECT_EQ(value_of("frequency", scene).number, frequency);
    EXPECT_EQ(rate.reason.empty(), fastest.has_value());
  }
}

TEST(Quantity, ImpactsWithoutCollisionThatArePossible) {
  for (const auto& setting : settings()) {
    SCOPED_TRACE(setting.scene);
    const Scene scene = scene_of(setting);
    const Json j = to_json(analyze(scene));
    Json names = Json::array();
    for (const auto& iwc : j["iwc"])
      if (iwc["possible"].get<bool>()) names.push_back(iwc["name"]);
    if (j["iwc"].is_null()) {
      EXPECT_EQ(value_of("iwc", scene).reason, j["iwc_reason"].get<std::string>());
    } else {
      EXPECT_EQ(*value_of("iwc", scene).word, joined(names));
    }
  }
}

TEST(Quantity, BouncesAndSolutions) {
  for (const auto& setting : settings()) {
    SCOPED_TRACE(setting.scene);
    const Scene scene = scene_of(setting);
    if (scene.kind == SceneKind::drifting_contacts) {
      for (const char* key : {"e", "solutions", "solutions_step", "verdict_step"})
        EXPECT_EQ(value_of(key, scene).reason, "drifting contacts are known by P and b only") << key;
      continue;
    }
    const Json bounces = to_json(impact(scene, {}));
    const auto e = value_of("e", scene);
    if (bounces["bounce"].is_null()) {
      EXPECT_EQ(e.reason, bounces["bounce_reason"].get<std::string>());
    } else {
      EXPECT_EQ(*e.number, bounces["bounce"]["e"].get<double>());
    }
    SolveOptions options;
    const Json acceleration = to_json(solve(scene, options));
    if (acceleration["complete"] == true) {
      expect_json(value_of("solutions", scene), acceleration, "count");
    } else {
      EXPECT_EQ(value_of("solutions", scene).reason, acceleration["complete_reason"].get<std::string>());
    }
    options.formulation = FormulationKind::step;
    const Json step = to_json(solve(scene, options));
    expect_json(value_of("verdict_step", scene), step, "verdict");
    if (step["complete"] == false) continue;
    Json modes = Json::array();
    for (const auto& solution : step["solutions"]) modes.push_back(solution["mode"]);
    EXPECT_EQ(*value_of("solutions_step", scene).word, joined(modes));
  }
}

// A centimetre above the floor: a short step ends in the air, a long one on the floor.
TEST(Quantity, StepsOfTheirOwn) {
  const Scene scene = scene_of({"rod", {"contact.tip.closed=false", "theta=30deg", "y=0.51"}});
  StepOptions step;
  step.dt = 0.5;
  SceneFindings findings(scene, {nullptr, &step});
  EXPECT_EQ(value_of("solutions_step", scene).word, "F");
  EXPECT_NE(Quantity::parse("solutions_step").value(findings).word, "F");
  SolveOptions options;
  options.formulation = FormulationKind::step;
  options.step = step;
  const auto report = solve(scene, options);
  ASSERT_EQ(report.set.solutions.size(), 1U);
  EXPECT_EQ(Quantity::parse("solutions_step").value(findings).word, report.set.solutions[0].mode);
}

TEST(Quantity, OfASimulation) {
  SimulateOptions options;
  options.simulation.t_end = 0.3;
  for (const auto& setting : {Setting{"rod-jam", {}}, Setting{"rod-falling", {}}, Setting{"table-a1-6a", {}},
                              Setting{"rod-no-solution", {}}}) {
    SCOPED_TRACE(setting.scene);
    const Scene scene = scene_of(setting);
    SceneFindings findings(scene, {&options, nullptr});
    const auto run = simulate(scene, options);
    const auto outcome = Quantity::parse("outcome").value(findings);
    EXPECT_EQ(outcome.word.value_or(""), run.outcome);
    EXPECT_EQ(outcome.exists(), outcome.reason.empty());
    EXPECT_EQ(Quantity::parse("stopped").value(findings).word, run.stopped);
    EXPECT_EQ(Quantity::parse("t_stop").value(findings).number, run.t);
  }
}

TEST(Quantity, NamesUnitsAndMeanings) {
  const auto names = quantity_names();
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
  for (const auto& name : names) {
    SCOPED_TRACE(name);
    const Quantity q = Quantity::parse(name);
    EXPECT_EQ(q.name(), name);
    EXPECT_EQ(q.key(), name);
    EXPECT_EQ(q.words(), q.unit().empty());
    EXPECT_FALSE(q.meaning().empty());
    if (!q.words()) {
      EXPECT_NO_THROW(parse_unit(q.unit()));
    }
  }
  EXPECT_EQ(Quantity::parse("mu_jam").unit(), "1");
  EXPECT_EQ(Quantity::parse("b_n").unit(), "m/s^2");
  EXPECT_TRUE(Quantity::parse("verdict").words());
}

TEST(QuantityErrors, OneSentenceEach) {
  const Scene rod = scene_of({"rod", {}});
  const Scene drifting = scene_of({"table-a1-6a", {}});
  EXPECT_EQ(refusal([] { Quantity::parse("tip.verdict"); }),
            "verdict is of the whole scene, not of contact 'tip': write verdict alone");
  EXPECT_EQ(refusal([&] { value_of("tipp.mu_jam", rod); }), "unknown contact 'tipp'; did you mean 'tip'?");
  EXPECT_EQ(refusal([&] { Quantity::parse("tipp.mu_jam").check_contact(rod); }),
            "unknown contact 'tipp'; did you mean 'tip'?");
  EXPECT_EQ(refusal([&] { Quantity::parse("verdict").of(rod); }), "verdict is a word, where a number is needed");
  EXPECT_EQ(refusal([&] { Quantity::parse("mu_jam").of(drifting); }),
            "drifting-contacts has no contact space to take mu_jam from");
  EXPECT_EQ(refusal([&] { value_of("c3.p", drifting); }).substr(0, 20), "unknown contact 'c3'");
  EXPECT_TRUE(Quantity::parse("c2.p").of(drifting));
}

}  // namespace quantity_test
}  // namespace painleve
