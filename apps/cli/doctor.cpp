#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "painleve/base/child_process.hpp"
#include "painleve/scene/analysis.hpp"
#include "terminal.hpp"

namespace painleve::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Part {
  std::string name, use, package;
  std::vector<std::string> files;  // found when one of them exists
  std::string helper = {};         // or when this program of ours was built and is found
};

bool present(const Part& part) {
  std::error_code ignored;
  if (!part.helper.empty()) return !find_helper(part.helper).empty();
  return std::any_of(part.files.begin(), part.files.end(),
                     [&](const std::string& f) { return std::filesystem::exists(f, ignored); });
}

// A helper that was not built comes with the library it needs and a new build.
std::string remedy(const Part& part) {
  return "apt-get install " + part.package + (part.helper.empty() ? "" : ", then scripts/build");
}

Part engine(const std::string& name, const std::string& program, const std::string& package) {
  return {name, "compare: what this engine returns", package, {}, "painleve-engine-" + program};
}

std::vector<Part> optional_parts() {
  return {
      {"MuJoCo's file reader", "robots: MJCF and URDF files", "libmujoco-dev libtinyxml2-dev", {}, "painleve-robot"},
      engine("MuJoCo", "mujoco", "libmujoco-dev"),
      engine("Siconos", "siconos", "libsiconos-numerics-dev"),
      engine("ODE", "ode", "libode-dev"),
      engine("Bullet", "bullet", "libbullet-dev"),
      engine("DART", "dart", "libdart-all-dev"),
      engine("Box2D", "box2d", "libbox2d-dev"),
      engine("Simbody", "simbody", "libsimbody-dev"),
      {"pybind11", "to build the Python module", "pybind11-dev", {"/usr/include/pybind11/pybind11.h"}},
      {"NumPy", "Python module; bench", "python3-numpy", {"/usr/lib/python3/dist-packages/numpy"}},
      {"Matplotlib", "Python module: plots", "python3-matplotlib", {"/usr/lib/python3/dist-packages/matplotlib"}},
      {"Google Benchmark", "bench", "libbenchmark-dev", {"/usr/include/benchmark/benchmark.h"}},
      {"GoogleTest", "tests", "libgtest-dev", {"/usr/include/gtest/gtest.h"}},
      {"Chromium", "tests of the studio", "chromium", {"/usr/bin/chromium"}},
      {"clang-format, clang-tidy", "tests of style", "clang-format clang-tidy", {"/usr/bin/clang-tidy"}}};
}

struct Check {
  std::string name;
  double computed, expected;
  bool good() const { return std::abs(computed - expected) <= 1e-12 * std::abs(expected); }
};

// Known answers, each through the whole program from scenario to analysis.
std::vector<Check> self_test() {
  const auto jam = [](const std::string& theta) {
    SceneSource source = SceneSource::open("rod");
    source.set("theta=" + theta);
    return analyze(source.build()).contacts.at(0).cone.mu_jam.value_or(0);
  };
  const auto solutions = [](const std::string& scene) {
    return static_cast<double>(analyze(SceneSource::open(scene).build()).modes.consistent_modes().size());
  };
  return {{"rod at 45 deg: mu_jam = 5/3", jam("45deg"), 5.0 / 3},
          {"rod at atan 2: mu_jam = 4/3", jam("1.1071487177940904"), 4.0 / 3},
          {"rod-no-solution: accelerations", solutions("rod-no-solution"), 0},
          {"rod-three-solutions: accelerations", solutions("rod-three-solutions"), 2}};
}

Json versions() {
  return {{"painleve", PAINLEVE_VERSION},
          {"compiler", __VERSION__},
          {"eigen", fmt::format("{}.{}.{}", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION)},
          {"fmt", fmt::format("{}.{}.{}", FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100)},
          {"nlohmann_json", fmt::format("{}.{}.{}", NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR,
                                        NLOHMANN_JSON_VERSION_PATCH)},
          {"cli11", CLI11_VERSION}};
}

int run(const Common& common) {
  const auto start = std::chrono::steady_clock::now();
  const auto checks = self_test();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  bool good = true;
  Json j{{"schema", 1},
         {"command", "doctor"},
         {"versions", versions()},
         {"optional", Json::array()},
         {"self_test", Json::array()}};
  std::string text = styled("Versions", Style::strong) + "\n";
  for (const auto& [name, version] : j["versions"].items())
    text += fmt::format("  {:<14} {}\n", name, version.get<std::string>());
  text += "\n" + styled("Optional parts", Style::strong) + " (the program runs without them)\n";
  for (const auto& part : optional_parts()) {
    const bool found = present(part);
    j["optional"].push_back({{"name", part.name}, {"found", found}, {"use", part.use}, {"install", remedy(part)}});
    text += fmt::format("  {:<26} {:<8} {}{}\n", part.name, found ? "found" : "missing", part.use,
                        found ? "" : "; " + remedy(part));
  }
  text += "\n" + styled("Self-test", Style::strong) + "\n";
  for (const auto& check : checks) {
    good = good && check.good();
    j["self_test"].push_back(
        {{"name", check.name}, {"computed", check.computed}, {"expected", check.expected}, {"good", check.good()}});
    text += fmt::format("  {:<40} {}\n", check.name,
                        check.good() ? styled("good", Style::good) : styled("WRONG", Style::bad));
  }
  j["seconds"] = seconds;
  j["good"] = good;
  text += fmt::format("  {} in {:.3f} s\n", good ? "all good" : "something is wrong with this build", seconds);
  if (common.json) {
    print_json(j);
  } else {
    print(text);
  }
  return good ? done : failed;
}

}  // namespace

void add_doctor(CLI::App& app, Common& common, Action& action) {
  auto* verb = app.add_subcommand("doctor", "versions, optional parts found or missing, a self-test");
  add_common(*verb, common);
  verb->footer("Example:\n  painleve doctor --json");
  verb->callback([&common, &action] { action = [&common] { return run(common); }; });
}

}  // namespace painleve::cli
