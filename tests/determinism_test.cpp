// The same input gives the same output, bit for bit: whoever shares the work, however often it is asked, and whichever
// compiler and optimisation made the program. For the last, hashes of the numbers lie in reference/determinism.json;
// every build must reproduce them. A change of the numbers that is meant is news for the changelog: the test writes the
// new file and says where.
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <cstdio>

#include "faults_program.hpp"

namespace determinism {
namespace determinism_test {

using namespace painleve_cli;

// FNV-1a over the numbers and truth values of a JSON text with the keys that lead to them, bit for bit; words are left
// out, so that a better sentence changes nothing.
class NumberHash {
 public:
  void add(const Json& j) {
    if (j.is_object()) {
      for (const auto& [key, value] : j.items()) {
        if (value.is_string()) continue;
        add_bytes(key);
        add(value);
      }
    } else if (j.is_array()) {
      add_bits(j.size());
      for (const Json& value : j) add(value);
    } else if (j.is_number()) {
      add_bits(std::bit_cast<std::uint64_t>(j.get<double>()));
    } else if (j.is_boolean()) {
      add_bits(j.get<bool>() ? 1 : 0);
    } else if (j.is_null()) {
      add_bits(2);
    }
  }
  std::string text() const {
    char digits[17];
    std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(hash_));
    return digits;
  }

 private:
  void add_byte(std::uint64_t byte) { hash_ = (hash_ ^ byte) * 0x100000001b3U; }
  void add_bytes(const std::string& bytes) {
    for (const char c : bytes) add_byte(static_cast<unsigned char>(c));
  }
  void add_bits(std::uint64_t bits) {
    for (unsigned k = 0; k < 64; k += 8) add_byte((bits >> k) & 0xFFU);
  }
  std::uint64_t hash_ = 0xcbf29ce484222325U;
};

std::vector<std::string> scenarios() {
  std::vector<std::string> names;
  const Json gallery = json_of({"gallery", "--json"});
  for (const auto& entry : gallery["scenarios"]) names.push_back(entry["name"]);
  EXPECT_GT(names.size(), 30U);
  return names;
}

using Calls = std::vector<Arguments>;

Calls on_scenes(const std::vector<std::string>& scenes, const std::string& verb, const Arguments& more = {}) {
  Calls calls;
  for (const std::string& scene : scenes) calls.push_back(Arguments{verb, scene} + more);
  return calls;
}

// What is hashed, by name. Every verb, both dimensions, one contact and several, all methods.
std::map<std::string, Calls> hashed_calls() {
  const std::vector<std::string> some = {"rod-no-solution", "rod-three-solutions", "arm-two-solutions",
                                         "fig15a",          "rod-3d-crossing",     "klein-several"};
  const Arguments over = {"--over", "theta=5:85deg:9", "--over", "mu=0.1:2.5:8"};
  return {
      {"analyze", on_scenes(scenarios(), "analyze")},
      {"solve, acceleration", on_scenes(some, "solve", {"--formulation", "acceleration"})},
      {"solve, impulse",
       on_scenes({"rod-falling", "oscillator-hopping", "rod-3d-crossing"}, "solve", {"--formulation", "impulse"})},
      {"solve, step", on_scenes(some, "solve", {"--formulation", "step"})},
      {"impact", on_scenes({"oscillator-hopping", "rod-falling", "rod-no-solution", "tumbling-body"}, "impact")},
      {"simulate, events",
       on_scenes({"rod-falling", "rod-jam", "biped-walking", "rod-3d-crossing", "oscillator-hopping"}, "simulate",
                 {"--method", "event", "--t-end", "0.2"})},
      {"simulate, all futures", {{"simulate", "rod-three-solutions", "--policy", "all", "--t-end", "0.1"}}},
      {"simulate, steps", on_scenes({"rod-falling", "rod-no-solution", "wedge", "rod-3d-crossing"}, "simulate",
                                    {"--method", "step", "--t-end", "0.1"})},
      {"simulate, springs",
       {{"simulate", "rod-no-solution", "--method", "compliant", "--set", "stiffness=1e6", "--t-end", "0.02"},
        {"simulate", "fig11-reverse-chatter", "--t-end", "0.02"}}},
      {"map, verdict",
       {Arguments{"map", "rod", "--of", "verdict", "--of", "mu_jam", "--of", "p", "--of", "growth_rate"} + over}},
      {"map, outcome", {Arguments{"map", "rod", "--of", "outcome", "--t-end", "0.02"} + over}},
      {"converge",
       {{"converge", "rod-no-solution", "--stiffness", "1e4:1e6:3", "--t-end", "0.02"},
        {"converge", "rod-no-solution", "--dt", "1e-2:1e-3:3", "--t-end", "0.02"}}},
      {"search",
       {{"search", "rod", "--minimise", "mu_jam", "--over", "theta=0:90deg:101"},
        {"search", "articulated-arm", "--minimise", "mu_jam", "--over", "x=0:1:41", "--over", "theta3=0:180deg:41"}}},
  };
}

std::string hash_of(const Calls& calls) {
  NumberHash hash;
  for (const Arguments& call : calls) {
    const Outcome o = run(call + Arguments{"--json"});
    EXPECT_EQ(o.code, 0) << joined(call) << ": " << o.err;
    hash.add(Json::parse(o.out, nullptr, false));
  }
  return hash.text();
}

TEST(Determinism, EveryBuildGivesTheNumbersOfTheReference) {
  const std::string path = std::string(PAINLEVE_SOURCE_DIR) + "/tests/reference/determinism.json";
  const Json file = Json::parse(content(path), nullptr, false);
  ASSERT_TRUE(file.is_object()) << path;
  const Json reference = file.value("hashes", Json::object());
  nlohmann::ordered_json found = {{"schema", 1}};
  for (const auto& [name, calls] : hashed_calls()) found["hashes"][name] = hash_of(calls);
  EXPECT_EQ(reference.size(), found["hashes"].size());
  bool same = true;
  for (const auto& [name, hash] : found["hashes"].items()) {
    EXPECT_EQ(reference.value(name, "none"), hash.get<std::string>()) << name;
    same = same && reference.value(name, "none") == hash.get<std::string>();
  }
  if (same) return;
  std::ofstream("determinism.json") << found.dump(1) << "\n";
  ADD_FAILURE() << "the numbers of this build are in " << fs::absolute("determinism.json");
}

// Of every verb that shares its work: what is printed, and the files.
TEST(Determinism, ThreadsLeaveNoTrace) {
  const Folder folder;
  struct Shared {
    Arguments arguments;
    std::string option, file;
  };
  const std::vector<Shared> verbs = {
      {{"map", "rod", "--over", "theta=5:85deg:21", "--over", "mu=0.1:2.5:20", "--of", "verdict", "--of",
        "growth_rate"},
       "-o",
       "map.h5"},
      {{"map", "rod", "--over", "theta=5:85deg:9", "--over", "mu=0.1:2.5:8", "--of", "outcome", "--t-end", "0.02"},
       "-o",
       "map.csv"},
      {{"map", "rod", "--over", "theta=5:85deg:21", "--over", "mu=0.1:2.5:20", "--of", "verdict"},
       "--boundaries",
       "c.csv"},
      {{"search", "articulated-arm", "--minimise", "mu_jam", "--over", "x=0:1:31", "--over", "theta3=0:180deg:31"},
       "",
       ""},
      {{"check", "rod", "--contact", "tip", "--mu", "0.5", "--samples", "300"}, "--figure", "check.svg"},
      {{"report", "rod", "--cells", "7", "--t-end", "0.01", "--no-limits"}, "-o", "page.html"},
      {{"reproduce", "peiret-cone"}, "-o", "page.html"},
  };
  for (const Shared& verb : verbs) {
    SCOPED_TRACE(joined(verb.arguments));
    std::set<std::string> printed, written;
    for (const std::string threads : {"1", "2", "3", "7", "1"}) {
      Arguments call = verb.arguments + Arguments{"--json", "--threads", threads};
      if (!verb.file.empty()) call = call + Arguments{verb.option, folder.file(verb.file)};
      const Outcome o = run(call);
      EXPECT_EQ(o.code, 0) << o.err;
      printed.insert(o.out);
      written.insert(verb.file.empty() ? "" : content(folder.file(verb.file)));
    }
    EXPECT_EQ(printed.size(), 1U);
    EXPECT_EQ(written.size(), 1U);
  }
}

// Addresses, the environment and the place of the program have no say.
TEST(Determinism, AskedAgainElsewhere) {
  const Folder folder;
  for (const Arguments& call :
       {Arguments{"simulate", "rod-three-solutions", "--policy", "all", "--t-end", "0.1", "--json"},
        Arguments{"solve", "klein-several", "--formulation", "acceleration", "--json"},
        Arguments{"converge", "rod-no-solution", "--stiffness", "1e4:1e5:2", "--t-end", "0.01", "--json"}}) {
    const std::string first = expect_done(call).out;
    Streams elsewhere;
    elsewhere.folder = folder.file(".");
    elsewhere.environment = {
        {"LC_ALL", "de_DE.UTF-8"},  {"LANG", "tr_TR.UTF-8"},  {"TZ", "Asia/Kathmandu"},           {"HOME", "/"},
        {"MALLOC_PERTURB_", "165"}, {"OMP_NUM_THREADS", "5"}, {"FILLER", std::string(20000, 'x')}};
    EXPECT_EQ(run(call, elsewhere).out, first) << joined(call);
  }
}

}  // namespace determinism_test
}  // namespace determinism
