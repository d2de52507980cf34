#include "target.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>

#include "painleve/base/names.hpp"
#include "target_list.hpp"

namespace painleve::fuzz {
namespace {

constexpr std::size_t longest_sentence = 2000;

struct Scratch {
  std::filesystem::path path = std::filesystem::temp_directory_path() / ("painleve-fuzz-" + std::to_string(::getpid()));
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
};

}  // namespace

const std::vector<Target>& targets() {
  static const std::vector<Target> all = target_list();
  return all;
}

const Target& target(const std::string& name) {
  const auto& all = targets();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Target& one) { return one.name == name; });
  if (found != all.end()) return *found;
  std::vector<std::string> names;
  for (const Target& one : all) names.push_back(one.name);
  throw InputError(unknown_name("target", name, names));
}

void law(bool holds, const std::string& sentence) {
  if (!holds) throw LawBroken{sentence};
}

void check_sentence(const std::string& sentence) {
  law(!sentence.empty(), "a refusal says nothing");
  law(sentence.size() <= longest_sentence, "a refusal is endless: " + sentence.substr(0, longest_sentence));
  for (const char c : sentence) {
    const auto byte = static_cast<unsigned char>(c);
    law(byte >= 0x20 && byte != 0x7F, "a refusal holds a control character: " + in_quotes(sentence));
  }
}

std::filesystem::path scratch_folder() {
  static const Scratch scratch;
  std::filesystem::create_directories(scratch.path);
  return scratch.path;
}

void write_file(const std::filesystem::path& path, std::string_view bytes) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file) throw InputError("cannot write " + in_quotes(path.string()));
}

unsigned Draw::byte() {
  if (bytes_.empty()) return 0;
  const auto first = static_cast<unsigned char>(bytes_.front());
  bytes_.remove_prefix(1);
  return first;
}

double Draw::number() {
  static constexpr std::array<double, 16> edges{0.0,    -0.0,   1e-300, 1e300,  1e-9,  -1e-9, 1e9,    1e100,
                                                -1e100, 1e-100, 5e-324, 1.0e16, 1e-16, 1e154, 1e-154, -1e300};
  constexpr unsigned raw = 255, first_edge = 239;
  const unsigned kind = byte();
  if (kind < first_edge) return (static_cast<double>(kind) - 120) / 8;
  if (kind < raw) return edges[kind - first_edge];
  double value = 0;
  std::array<char, sizeof value> eight{};
  for (char& c : eight) c = static_cast<char>(byte());
  std::memcpy(&value, eight.data(), sizeof value);
  return value;
}

}  // namespace painleve::fuzz
