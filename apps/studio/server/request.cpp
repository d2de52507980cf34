// Reads requests. The text is gone through once before anything is built, so that nesting costs no memory and no stack;
// what comes after that may trust sizes and numbers.
#include "request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "painleve/base/error.hpp"
#include "painleve/base/names.hpp"

namespace painleve::studio {
namespace {

// Goes through the text and keeps nothing of it but what is wrong.
constexpr int most_keys = 2000;

class Inspector : public nlohmann::json_sax<Json> {
 public:
  explicit Inspector(int most_depth) : most_depth_(most_depth) {}

  const std::string& complaint() const { return complaint_; }

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t value, const string_t&) override {
    return std::isfinite(value) || complain("a number in the request is not finite");
  }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return complain("the request holds bytes that are not JSON"); }
  bool key(string_t&) override {
    return ++keys_ <= most_keys ||
           complain(fmt::format("the request has more than the {} keys that are allowed", most_keys));
  }
  bool start_object(std::size_t) override { return enter(); }
  bool start_array(std::size_t) override { return enter(); }
  bool end_object() override { return leave(); }
  bool end_array() override { return leave(); }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& error) override {
    constexpr int number_overflow = 406;
    if (error.id == number_overflow) return complain("a number in the request is too large");
    return complain(fmt::format("the request is not JSON: something is wrong at byte {}", position));
  }

 private:
  bool complain(std::string sentence) {
    complaint_ = std::move(sentence);
    return false;
  }
  bool enter() {
    return ++depth_ <= most_depth_ ||
           complain(fmt::format("the request is nested deeper than the {} levels that are allowed", most_depth_));
  }
  bool leave() {
    --depth_;
    return true;
  }

  int most_depth_;
  int depth_ = 0;
  int keys_ = 0;  // of all objects together: looking one up takes as long as there are keys
  std::string complaint_;
};

const Json& member(const Json& request, const char* key) {
  const auto found = request.find(key);
  if (found == request.end()) throw InputError(fmt::format("the request needs '{}'", key));
  return *found;
}

bool there(const Json& request, const char* key) { return request.contains(key) && !request[key].is_null(); }

double in_bounds(const Json& value, const char* key, double least, double most) {
  if (!value.is_number()) throw InputError(fmt::format("'{}' must be a number", key));
  const auto x = value.get<double>();
  if (!(x >= least && x <= most))
    throw InputError(fmt::format("'{}' is {}, it must lie between {} and {}", key, x, least, most));
  return x;
}

}  // namespace

Json parse_request(const std::string& body, int most_depth) {
  Inspector inspector(most_depth);
  if (!Json::sax_parse(body, &inspector)) throw InputError(inspector.complaint());
  Json request = Json::parse(body);
  if (!request.is_object()) throw InputError("the request must be a JSON object");
  return request;
}

void refuse_others(const Json& request, std::initializer_list<const char*> known) {
  for (const auto& item : request.items()) {
    const std::string& name = item.key();
    if (std::any_of(known.begin(), known.end(), [&](const char* one) { return name == one; })) continue;
    throw InputError(unknown_name("member of the request", name, {known.begin(), known.end()}));
  }
}

double number(const Json& request, const char* key, double fallback, double least, double most) {
  return there(request, key) ? in_bounds(request[key], key, least, most) : fallback;
}

double number(const Json& request, const char* key, double least, double most) {
  return in_bounds(member(request, key), key, least, most);
}

int whole(const Json& request, const char* key, int fallback, int least, int most) {
  const double value = number(request, key, fallback, least, most);
  if (value != std::floor(value)) throw InputError(fmt::format("'{}' is {}, it must be a whole number", key, value));
  return static_cast<int>(value);
}

bool flag(const Json& request, const char* key, bool fallback) {
  if (!there(request, key)) return fallback;
  if (!request[key].is_boolean()) throw InputError(fmt::format("'{}' must be true or false", key));
  return request[key].get<bool>();
}

std::string word(const Json& request, const char* key, const std::string& fallback) {
  return there(request, key) ? word(request, key) : fallback;
}

std::string word(const Json& request, const char* key) {
  const Json& value = member(request, key);
  if (!value.is_string()) throw InputError(fmt::format("'{}' must be a text", key));
  return value.get<std::string>();
}

std::vector<double> numbers(const Json& request, const char* key, std::size_t count) {
  const Json& list = member(request, key);
  if (!list.is_array() || list.size() != count ||
      !std::all_of(list.begin(), list.end(), [](const Json& one) { return one.is_number(); }))
    throw InputError(fmt::format("'{}' must be a list of {} numbers", key, count));
  return list.get<std::vector<double>>();
}

}  // namespace painleve::studio
