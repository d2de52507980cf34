#include "painleve/scene/json_numbers.hpp"

#include <algorithm>
#include <cmath>

#include "painleve/scene/scene.hpp"

namespace painleve {
namespace {

bool holds_null(const Json& j) { return j.is_null() || (j.is_array() && std::any_of(j.begin(), j.end(), holds_null)); }

}  // namespace

Json number(double x) { return std::isfinite(x) ? Json(x == 0 ? 0.0 : x) : Json(nullptr); }

Json matrix(const Eigen::MatrixXd& m) {
  Json j = Json::array();
  for (Eigen::Index i = 0; i < m.rows(); ++i) j.push_back(list(m.row(i).transpose().eval()));
  return j;
}

void put(Json& j, const std::string& key, const std::optional<double>& value, const std::string& reason) {
  j[key] = value ? number(*value) : Json(nullptr);
  if (j[key].is_null()) j[key + "_reason"] = reason;
}

void put_stacked(Json& j, const char* normal, const char* tangential, const std::optional<Eigen::VectorXd>& v,
                 int dimension) {
  if (!v) {
    put(j, normal, std::nullopt, "this mode has no solution");
    put(j, tangential, std::nullopt, "this mode has no solution");
    return;
  }
  j[normal] = Json::array();
  j[tangential] = Json::array();
  for (Eigen::Index i = 0; i < v->size(); i += dimension) {
    j[normal].push_back(number((*v)(i + dimension - 1)));
    j[tangential].push_back(list(v->segment(i, dimension - 1)));
  }
}

void explain_overflow(Json& j) {
  std::vector<std::string> keys;
  for (auto& [key, value] : j.items()) {
    if (value.is_structured()) explain_overflow(value);
    if (j.is_object() && holds_null(value) && !j.contains(key + "_reason")) keys.push_back(key);
  }
  for (const auto& key : keys) {
    j[key + "_reason"] = "a number here is beyond double precision";
  }
}

void put_mechanism(Json& j, const Scene& scene) {
  j["mechanism"] = scene.mechanism;
  if (scene.robot == nullptr) return;
  j["file"] = scene.robot->file;
  j["notes"] = scene.robot->notes;
}

}  // namespace painleve
