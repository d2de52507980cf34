// Reading numbers, lists and words out of a scenario file, with errors that say where. Not part of the public
// interface.
#pragma once

#include <toml++/toml.h>

#include <Eigen/Core>
#include <string>
#include <string_view>
#include <vector>

namespace painleve::detail {

// As toml::parse, also for texts that it is not ready for.
toml::table parse_toml(const std::string& text, const std::string& origin);

// "rod.toml, line 3, column 8: parameters.mass"
std::string where(const toml::node& node, const std::string& origin, const std::string& path);

double read_number(const toml::node& node, const std::string& unit, const std::string& origin, const std::string& path);
bool read_bool(const toml::node& node, const std::string& origin, const std::string& path);
std::string read_word(const toml::node& node, const std::string& origin, const std::string& path,
                      const std::vector<std::string>& allowed);
// A number counts as a list of one.
Eigen::VectorXd read_vector(const toml::node& node, const std::string& unit, const std::string& origin,
                            const std::string& path);
Eigen::MatrixXd read_matrix(const toml::node& node, const std::string& origin, const std::string& path);
const toml::table& read_table(const toml::node& node, const std::string& origin, const std::string& path);

[[noreturn]] void reject_key(const toml::key& key, const toml::node& node, const std::string& origin,
                             const std::string& path, const std::vector<std::string>& known);

}  // namespace painleve::detail
