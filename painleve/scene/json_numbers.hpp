// Numbers, lists and matrices as JSON, for the files of this folder that print results.
#pragma once

#include <Eigen/Core>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace painleve {

struct Scene;
using Json = nlohmann::ordered_json;

// JSON has no NaN: whatever is not finite becomes null here, by decision, and its reason stands beside it.
Json number(double x);

template <class Vector>
Json list(const Vector& v) {
  Json j = Json::array();
  for (Eigen::Index i = 0; i < v.size(); ++i) j.push_back(number(v(i)));
  return j;
}

Json matrix(const Eigen::MatrixXd& m);

// j[key], or null with the reason in j[key_reason].
void put(Json& j, const std::string& key, const std::optional<double>& value, const std::string& reason);

// Splits a stacked vector into its normal and tangential components per contact; `dimension` 1 holds normals only.
void put_stacked(Json& j, const char* normal, const char* tangential, const std::optional<Eigen::VectorXd>& v,
                 int dimension);

// The name of the scene's mechanism; of a robot also its file and what its reader noted.
void put_mechanism(Json& j, const Scene& scene);

// What overflowed became null where nobody expected it; the reason is the same everywhere.
void explain_overflow(Json& j);

}  // namespace painleve
