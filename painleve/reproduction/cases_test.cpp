#include "painleve/reproduction/cases.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>

#include "painleve/reproduction/cases_mjcf.hpp"
#include "painleve/reproduction/detail/case_json.hpp"
#include "painleve/reproduction/detail/sha256.hpp"

namespace painleve {
namespace cases_test {

using Json = nlohmann::json;

const std::map<std::string, std::string>& files() {
  static const std::map<std::string, std::string> all = [] {
    std::map<std::string, std::string> by_path;
    for (const FileContent& f : case_pack("1.2.3").files) by_path[f.path] = f.bytes;
    return by_path;
  }();
  return all;
}

Json case_of(const std::string& name) { return Json::parse(files().at("cases/" + name + ".json")); }

TEST(Sha256, OfTheStandardsExamples) {
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

// The part of JSON Schema that the schema of the pack uses. Each mistake is one line.
class Validator {
 public:
  explicit Validator(Json schema) : root_(std::move(schema)) {}
  std::vector<std::string> mistakes(const Json& value) {
    found_.clear();
    validate(root_, value, "");
    return found_;
  }

 private:
  static bool is(const Json& value, const std::string& type) {
    if (type == "object") return value.is_object();
    if (type == "array") return value.is_array();
    if (type == "string") return value.is_string();
    if (type == "boolean") return value.is_boolean();
    if (type == "null") return value.is_null();
    if (type == "integer") return value.is_number_integer();
    return type == "number" && value.is_number();
  }
  void fail(const std::string& at, const std::string& what) { found_.push_back(at + ": " + what); }

  void validate(const Json& schema, const Json& value, const std::string& at) {
    if (schema.contains("$ref")) {
      const std::string name = schema["$ref"].get<std::string>().substr(std::string("#/definitions/").size());
      validate(root_["definitions"].at(name), value, at);
      return;
    }
    check_type(schema, value, at);
    if (schema.contains("const") && schema["const"] != value) fail(at, "not the constant");
    if (schema.contains("enum") &&
        std::find(schema["enum"].begin(), schema["enum"].end(), value) == schema["enum"].end())
      fail(at, "not in the enumeration: " + value.dump());
    if (schema.contains("minimum") && value.is_number() && value < schema["minimum"]) fail(at, "too small");
    if (schema.contains("pattern") &&
        !std::regex_match(value.get<std::string>(), std::regex(schema["pattern"].get<std::string>())))
      fail(at, "does not match");
    if (value.is_array() && schema.contains("items"))
      for (const auto& item : value) validate(schema["items"], item, at + "[]");
    if (value.is_object()) check_object(schema, value, at);
  }
  void check_type(const Json& schema, const Json& value, const std::string& at) {
    if (!schema.contains("type")) return;
    const Json types = schema["type"].is_array() ? schema["type"] : Json::array({schema["type"]});
    if (std::none_of(types.begin(), types.end(), [&](const Json& t) { return is(value, t.get<std::string>()); }))
      fail(at, "wrong type");
  }
  void check_object(const Json& schema, const Json& value, const std::string& at) {
    for (const auto& key : schema.value("required", Json::array()))
      if (!value.contains(key.get<std::string>())) fail(at, "lacks " + key.get<std::string>());
    const Json properties = schema.value("properties", Json::object());
    for (const auto& [key, inside] : value.items()) {
      if (properties.contains(key)) {
        validate(properties[key], inside, at + "." + key);
      } else if (schema.value("additionalProperties", true) == false) {
        fail(at, "unknown key " + key);
      }
    }
  }

  Json root_;
  std::vector<std::string> found_;
};

TEST(Cases, FollowTheSchema) {
  Validator validator(Json::parse(case_schema));
  int cases = 0;
  for (const auto& [path, bytes] : files()) {
    if (!path.starts_with("cases/")) continue;
    ++cases;
    const auto mistakes = validator.mistakes(Json::parse(bytes));
    EXPECT_TRUE(mistakes.empty()) << path << mistakes[0];
  }
  EXPECT_EQ(cases, static_cast<int>(scenarios().size()));
  Json spoilt = case_of("wedge");
  spoilt["problems"][0]["solutions"][0].erase("force");
  spoilt["problems"][0]["law"][0] = "flying";
  spoilt["extra"] = 1;
  EXPECT_EQ(validator.mistakes(spoilt).size(), 3U) << "the validator sees mistakes";
}

TEST(Cases, AreTheSameEveryTime) {
  const CasePack a = case_pack("1.2.3");
  EXPECT_EQ(a.hash, case_pack("1.2.3").hash);
  for (const FileContent& f : a.files) EXPECT_EQ(f.bytes, files().at(f.path)) << f.path;
  EXPECT_EQ(Json::parse(files().at("manifest.json"))["version"], "1.2.3");
  EXPECT_TRUE(std::is_sorted(a.files.begin(), a.files.end() - 1,
                             [](const FileContent& x, const FileContent& y) { return x.path < y.path; }));
}

const Json& problem(const Json& from, const std::string& formulation, double dt = 0) {
  for (const auto& p : from["problems"])
    if (p["formulation"] == formulation && (dt == 0 || p["dt"] == dt)) return p;
  throw std::out_of_range(formulation);
}

// Preclik & Rüde (2011): impulses printed for dt = 0.01.
TEST(Cases, HaveThePublishedSteps) {
  const Json none = case_of("rod-no-solution");
  EXPECT_EQ(none["verdict"], "inconsistent");
  EXPECT_EQ(problem(none, "acceleration")["count"], 0);
  const Json& n = problem(none, "step", 0.01);
  ASSERT_EQ(n["count"], 1);
  EXPECT_EQ(n["solutions"][0]["mode"], "T");
  EXPECT_NEAR(n["solutions"][0]["force"][1].get<double>(), 0.3329, 5e-5);
  EXPECT_NEAR(n["solutions"][0]["force"][0].get<double>(), 0.4407, 5e-5);
  const Json three = case_of("rod-three-solutions");
  const Json& m = problem(three, "step", 0.01);
  ASSERT_EQ(m["count"], 3);
  EXPECT_NEAR(m["solutions"][1]["force"][1].get<double>(), 0.0755, 5e-5);
  EXPECT_NEAR(m["solutions"][2]["force"][0].get<double>(), 0.4516, 5e-5);
}

TEST(Cases, HaveFamiliesAndBilateralContactsAndDrift) {
  EXPECT_EQ(problem(case_of("wedge"), "acceleration")["solutions"].back()["family"]["dimension"], 1);
  EXPECT_EQ(problem(case_of("klein-several"), "acceleration")["count"], 2);
  const Json drifting = case_of("table-a1-7c");
  EXPECT_TRUE(drifting["contact_space"].is_null());
  EXPECT_EQ(problem(drifting, "slip")["verdict"], "several");
  EXPECT_EQ(problem(drifting, "slip")["count"], 3);
}

// The map between the coordinates of the mechanism and of the file: velocities of the contact points are those of the
// case, by the chain of joints of the file alone for bodies that move freely.
TEST(CasesMjcf, EveryMechanismIsWritten) {
  for (const Scenario& s : scenarios()) {
    const Scene scene = SceneSource::open(s.name).build();
    const MjcfResult model = to_mjcf(scene);
    EXPECT_EQ(model.mjcf.has_value(), scene.kind == SceneKind::mechanism) << s.name;
    if (!model.mjcf) {
      EXPECT_FALSE(model.reason.empty());
      continue;
    }
    EXPECT_EQ(model.mjcf->qvel, model.mjcf->T * scene.posed.state.v);
    EXPECT_NE(std::abs(model.mjcf->T.determinant()), 0);
    EXPECT_EQ(static_cast<int>(model.mjcf->contacts.size()), scene.space.count());
    for (const MjcfContact& c : model.mjcf->contacts)
      EXPECT_NE(model.mjcf->xml.find("<site name=\"" + c.site + "\""), std::string::npos);
  }
}

TEST(CasesMjcf, TheRodIsTheRod) {
  const Mjcf m = *to_mjcf(SceneSource::open("rod-no-solution").build()).mjcf;
  const std::regex tip("<site name=\"tip\" pos=\"([^ \"]+) ([^ \"]+) ([^ \"]+)\"");
  std::smatch found;
  ASSERT_TRUE(std::regex_search(m.xml, found, tip)) << m.xml;
  EXPECT_NEAR(std::stod(found[1]), 1, 1e-15) << "the half length, along the body's x";
  EXPECT_NEAR(std::stod(found[3]), 0, 1e-15);
}

}  // namespace cases_test
}  // namespace painleve
