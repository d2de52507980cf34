// Reads the text of a scenario a second time, for what the built scene no longer knows: which values were given.
#include "scene_values.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <charconv>

#include "painleve/base/error.hpp"
#include "painleve/base/names.hpp"

namespace painleve::studio {
namespace {

std::optional<Written> as_written(const toml::node& node) {
  if (const auto* number = node.as_floating_point()) return Written{number->get(), {}};
  if (const auto* whole = node.as_integer()) return Written{static_cast<double>(whole->get()), {}};
  if (const auto* text = node.as_string()) return Written{std::nullopt, text->get()};
  return {};
}

}  // namespace

struct SceneValues::Table {
  toml::table root;

  const toml::node* at(const std::string& path) const {
    const toml::table* table = &root;
    for (std::size_t begin = 0; table != nullptr;) {
      const std::size_t dot = path.find('.', begin);
      const toml::node* node = table->get(path.substr(begin, dot - begin));
      if (dot == std::string::npos || node == nullptr) return node;
      table = node->as_table();
      begin = dot + 1;
    }
    return nullptr;
  }
};

SceneValues::SceneValues(const SceneSource& source)
    : table_(std::make_shared<const Table>(Table{toml::parse(source.text())})) {}

bool SceneValues::given(const std::string& path) const { return table_->at(path) != nullptr; }

std::vector<Written> SceneValues::written(const std::string& path) const {
  const toml::node* node = table_->at(path);
  if (node == nullptr) return {};
  std::vector<Written> list;
  if (const auto* array = node->as_array()) {
    for (const auto& element : *array) {
      const auto one = as_written(element);
      if (!one) return {};
      list.push_back(*one);
    }
  } else if (const auto one = as_written(*node)) {
    list.push_back(*one);
  }
  return list;
}

std::optional<Component> component(const std::string& key) {
  const std::size_t bracket = key.find('[');
  if (bracket == std::string::npos) return {};
  const char* const begin = key.data() + bracket + 1;
  const char* const end = key.data() + key.size();
  std::size_t index = 0;
  constexpr std::size_t most = 1000;
  const auto read = std::from_chars(begin, end, index);
  if (read.ec != std::errc() || read.ptr + 1 != end || *read.ptr != ']' || index < 1 || index > most)
    throw InputError(fmt::format("{} names no component of a list; the second one is [2]", in_quotes(key)));
  return Component{key.substr(0, bracket), index - 1};
}

}  // namespace painleve::studio
