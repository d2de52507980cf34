// Known numbers of the literature, computed independently to full precision, against `analyze`.
//
// tests/reference/values.json is a list of
//   {"id", "scene": a name or the text of a scenario file, "set": ["key=value", …], "path", "value", "tolerance",
//   "source"}
// `path` is a JSON pointer into the object that `analyze --json` prints. A list of objects is entered by name
// ("/modes/S-/lambda_n/0"); "*" collects one number from every consistent mode, sorted. `tolerance` is relative to the
// largest number in `value`, absolute where that is 0, and 1e-10 unless given. Instead of a value
//   "equals": another path           "starts": true, the value is how a text begins     "unordered": true, a set
// and before it is compared
//   "minimise": {over, from, to, report}    the least value over a key, or where it is ("report": "where")
//   "derivative": {over, step}              the rate of the value with a key, around its present value 0
//   "quantity": numbers that are not in the JSON; see special().
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "painleve/base/draws.hpp"
#include "painleve/base/error.hpp"
#include "painleve/cone/friction_cone.hpp"
#include "painleve/modes/gspot.hpp"
#include "painleve/modes/impact_without_collision.hpp"
#include "painleve/modes/stability.hpp"
#include "painleve/modes/two_contact_class.hpp"
#include "painleve/scene/analysis.hpp"

namespace painleve {
namespace reference_test {

using Json = nlohmann::ordered_json;

Json load(const std::string& name) {
  std::ifstream file(std::string(PAINLEVE_SOURCE_DIR) + "/tests/reference/" + name);
  return Json::parse(file);
}

SceneSource source_of(const Json& entry) {
  const auto scene = entry.at("scene").get<std::string>();
  SceneSource source =
      scene.find('\n') == std::string::npos ? SceneSource::open(scene) : SceneSource::parse(scene, "text");
  for (const auto& set : entry.value("set", std::vector<std::string>{})) {
    source.set(set);
  }
  return source;
}

// Paths.

std::vector<std::string> tokens(const std::string& path) {
  std::vector<std::string> list;
  for (std::size_t at = 0; at != std::string::npos;) {
    const std::size_t next = path.find('/', at + 1);
    list.push_back(path.substr(at + 1, next == std::string::npos ? next : next - at - 1));
    at = next;
  }
  return list;
}

bool is_index(const std::string& token) {
  return !token.empty() && std::all_of(token.begin(), token.end(), [](char c) { return c >= '0' && c <= '9'; });
}

Json follow(const Json& j, const std::vector<std::string>& path, std::size_t from = 0) {
  if (from == path.size()) {
    return j;
  }
  const std::string& token = path[from];
  if (j.is_array() && is_index(token)) {
    return follow(j.at(std::stoul(token)), path, from + 1);
  }
  if (j.is_array() && token == "*") {
    std::vector<double> all;
    for (const auto& item : j) {
      if (item.at("consistent").get<bool>()) {
        all.push_back(follow(item, path, from + 1).get<double>());
      }
    }
    std::sort(all.begin(), all.end());
    return all;
  }
  if (j.is_array()) {
    for (const auto& item : j) {
      if (item.at("name") == token) {
        return follow(item, path, from + 1);
      }
    }
    throw std::out_of_range("nothing is called " + token);
  }
  return follow(j.at(token), path, from + 1);
}

Json at_path(const SceneSource& source, const std::string& path) {
  return follow(to_json(analyze(source.build())), tokens(path));
}

// Quantities.

Json list(const Eigen::MatrixXd& m) {
  Json j = Json::array();
  for (Eigen::Index i = 0; i < m.rows(); ++i) {
    j.push_back(m.cols() == 1 ? Json(m(i, 0)) : Json(std::vector<double>(m.row(i).begin(), m.row(i).end())));
  }
  return j;
}

// P of contacts that all slip as they do now.
Eigen::MatrixXd slip_matrix(const ContactSpace& s) {
  std::vector<ContactMode> slip;
  for (int i = 0; i < s.count(); ++i) {
    slip.push_back({Letter::S, s.u.segment(s.tangent(i), s.dimension - 1).normalized(), 1});
  }
  return fast_matrix(s, slip);
}

Json cone_quantity(const Scene& scene, const std::string& what) {
  const FrictionCone cone = friction_cone(scene.space, 0);
  if (what == "aperture") {
    return tangent_plane_aperture(cone);
  }
  if (what == "line") {
    return list(line_limit(cone.W));
  }
  if (what == "plane") {
    return list(plane_limit(cone.W));
  }
  return list(ray(cone, scene.space.u.head(scene.space.dimension - 1).normalized()));  // "ray"
}

Json inverse_block(const Scene& scene, const std::string& what) {
  const InverseBlocks blocks = inverse_blocks(friction_cone(scene.space, 0).W);
  if (what == "M_t") {
    return list(blocks.M_t);
  }
  return what == "m_tn" ? list(blocks.m_tn) : Json(blocks.m_n);
}

Json special(const Json& entry) {
  const auto quantity = entry.at("quantity").get<std::string>();
  const auto what = entry.at("path").get<std::string>();
  if (quantity == "portrait") {
    return portrait(entry.at("alpha").get<std::array<double, 3>>()).outcome;
  }
  if (quantity == "error") {  // the message with which the scene is refused
    try {
      source_of(entry).build();
    } catch (const InputError& error) {
      const std::string text = error.what();
      const auto wanted = entry.at("value").get<std::string>();
      return text.find(wanted) != std::string::npos ? wanted : text;
    }
    return "no error";
  }
  const Scene scene = source_of(entry).build();
  if (quantity == "cone") {
    return cone_quantity(scene, what);
  }
  if (quantity == "inverse_blocks") {
    return inverse_block(scene, what);
  }
  if (quantity == "slip_matrix") {
    return list(slip_matrix(scene.space));
  }
  if (quantity == "mechanism") {  // eigenvalues of the mass matrix
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(scene.posed.mechanism->dynamics(scene.posed.state).M);
    return list(eigen.eigenvalues());
  }
  throw std::invalid_argument("unknown quantity " + quantity);
}

// Golden-section search, the ends included; good to rounding in the value and to its root in the place.
Json least(const Json& entry) {
  const Json& how = entry.at("minimise");
  const auto key = how.at("over").get<std::string>();
  const auto path = entry.at("path").get<std::string>();
  const auto value = [&](double x) {
    SceneSource source = source_of(entry);
    source.set(key, x);
    return at_path(source, path).get<double>();
  };
  const double golden = (std::sqrt(5.0) - 1) / 2;
  double a = how.at("from").get<double>();
  double b = how.at("to").get<double>();
  double best = value(a) < value(b) ? a : b;
  while (b - a > 1e-9 * std::max(1.0, std::abs(b))) {
    const double left = b - golden * (b - a);
    const double right = a + golden * (b - a);
    (value(left) < value(right) ? b : a) = value(left) < value(right) ? right : left;
  }
  best = value((a + b) / 2) < value(best) ? (a + b) / 2 : best;
  return how.value("report", "value") == "where" ? best : value(best);
}

Json rate(const Json& entry) {
  const Json& how = entry.at("derivative");
  const auto step = how.at("step").get<double>();
  const auto value = [&](double x) {
    SceneSource source = source_of(entry);
    source.set(how.at("over").get<std::string>(), x);
    return at_path(source, entry.at("path").get<std::string>()).get<double>();
  };
  // Fourth order, so that the step is no source of error.
  return (8 * (value(step) - value(-step)) - (value(2 * step) - value(-2 * step))) / (12 * step);
}

Json computed(const Json& entry) {
  if (entry.contains("quantity")) {
    return special(entry);
  }
  if (entry.contains("minimise")) {
    return least(entry);
  }
  if (entry.contains("derivative")) {
    return rate(entry);
  }
  return at_path(source_of(entry), entry.at("path").get<std::string>());
}

// Comparison.

double largest(const Json& j) {
  if (j.is_number()) {
    return std::abs(j.get<double>());
  }
  double most = 0;
  if (j.is_array()) {
    for (const auto& item : j) {
      most = std::max(most, largest(item));
    }
  }
  return most;
}

bool close(const Json& found, const Json& wanted, double tolerance) {
  if (wanted.is_number()) {
    return found.is_number() && std::abs(found.get<double>() - wanted.get<double>()) <= tolerance;
  }
  if (!wanted.is_array()) {
    return found == wanted;
  }
  if (!found.is_array() || found.size() != wanted.size()) {
    return false;
  }
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (!close(found[i], wanted[i], tolerance)) {
      return false;
    }
  }
  return true;
}

bool agrees(const Json& entry, const Json& found, const Json& wanted) {
  if (entry.value("starts", false)) {
    return found.is_string() && found.get<std::string>().starts_with(wanted.get<std::string>());
  }
  if (entry.value("unordered", false)) {
    return std::multiset<std::string>(found.begin(), found.end()) ==
           std::multiset<std::string>(wanted.begin(), wanted.end());
  }
  const double scale = largest(wanted);
  return close(found, wanted, entry.value("tolerance", 1e-10) * (scale > 0 ? scale : 1));
}

TEST(Reference, Values) {
  const Json values = load("values.json");
  ASSERT_GT(values.size(), 700U);
  std::set<std::string> ids;
  for (const auto& entry : values) {
    const auto id = entry.at("id").get<std::string>();
    EXPECT_TRUE(ids.insert(id).second) << id << " stands twice";
    EXPECT_FALSE(entry.at("source").get<std::string>().empty()) << id;
    try {
      const Json found = computed(entry);
      const Json wanted =
          entry.contains("equals") ? at_path(source_of(entry), entry["equals"].get<std::string>()) : entry.at("value");
      EXPECT_TRUE(agrees(entry, found, wanted))
          << id << " (" << entry["source"].get<std::string>() << "): " << found << ", expected " << wanted;
    } catch (const std::exception& error) {
      ADD_FAILURE() << id << ": " << error.what();
    }
  }
}

// The classes of two slipping contacts.

std::vector<std::string> necessary_impacts(const ModeTable& table) {
  std::vector<std::string> names;
  for (const auto& impact : table.iwc) {
    if (impact.necessary) {
      names.push_back(impact.name);
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

TEST(Reference, TwoContactClasses) {
  const Json table = load("two_contact_classes.json");
  std::map<std::string, std::set<std::string>> verdicts;  // of slip of both contacts, by class
  std::set<std::string> seen;
  Draws draws(4);
  constexpr int samples = 12000;
  for (int k = 0; k < samples; ++k) {
    Eigen::Matrix2d P;
    P << draws.normal(), draws.normal(), draws.normal(), draws.normal();
    const Eigen::Vector2d b(draws.normal(), draws.normal());
    const std::string label = two_contact_class(P, b);
    ASSERT_TRUE(table["modes"].contains(label)) << label;
    seen.insert(label);
    const ModeTable found = slip_mode_table(P, b, Eigen::Vector2d::Ones(), Eigen::Vector2d::Ones());
    const auto modes = found.consistent_modes();
    const auto wanted = table["modes"][label].get<std::vector<std::string>>();
    EXPECT_EQ(std::set<std::string>(modes.begin(), modes.end()), std::set<std::string>(wanted.begin(), wanted.end()))
        << label;
    EXPECT_EQ(modes.size(), wanted.size()) << label;
    EXPECT_EQ(found.verdict, wanted.empty() ? "inconsistent" : (wanted.size() == 1 ? "unique" : "indeterminate"))
        << label;
    const std::string pair = label.substr(0, 2);
    EXPECT_EQ(necessary_impacts(found), table["impacts"][pair].get<std::vector<std::string>>()) << label;
    if (k % 10 == 0) {  // the slow part
      verdicts[pair].insert(stability_for_all(P).verdict);
    }
  }
  EXPECT_EQ(seen.size(), 144U);
  for (const auto& [kind, classes] : table["slip"].items()) {
    for (const auto& pair : classes) {
      const auto& found = verdicts[pair.get<std::string>()];
      const bool only = found == std::set<std::string>{kind};
      EXPECT_TRUE(kind == "depends" ? found.contains(kind) : only) << "class " << pair << " is " << kind;
    }
  }
}

}  // namespace reference_test
}  // namespace painleve
