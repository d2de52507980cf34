// The verb cases export, run as a user runs it, and its checker, run as an author of an engine runs it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "child_program.hpp"

namespace cases_cli_test {

using namespace painleve_cli;

// The exit code of the pack's checker, or nothing where there is no Python.
std::optional<int> checked(const std::string& folder, const std::string& arguments = "") {
  if (std::system("python3 --version > /dev/null 2>&1") != 0) return std::nullopt;
  const int status = std::system(("python3 '" + folder + "/check.py' " + arguments + " > /dev/null 2>&1").c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(CliCases, ExportsAPackThatVerifiesItself) {
  const Folder folder;
  const std::string pack = folder.file("pack");
  const Json j = json_of({"cases", "export", pack, "--json"});
  EXPECT_EQ(j["command"], "cases");
  EXPECT_EQ(j["cases"], 36);
  EXPECT_EQ(j["models"], 24);
  EXPECT_EQ(Json::parse(content(pack + "/manifest.json"))["hash"], j["hash"]);
  for (const auto& file : j["files"]) EXPECT_TRUE(fs::exists(pack + "/" + file.get<std::string>())) << file;
  if (!checked(pack)) GTEST_SKIP() << "no python3";
  EXPECT_EQ(checked(pack), 0);
  EXPECT_EQ(checked(pack, "rod-no-solution step 0.01 0.4407 0.3329"), 0);
  EXPECT_EQ(checked(pack, "rod-no-solution step 0.01 0.0086 0.0121"), 1) << "no solution";
}

TEST(CliCases, TheCheckerSeesAChangedDigit) {
  const Folder folder;
  const std::string pack = folder.file("pack");
  expect_done({"cases", "export", pack});
  if (!checked(pack)) GTEST_SKIP() << "no python3";
  const std::string path = pack + "/cases/rod-three-solutions.json";
  Json j = Json::parse(content(path));
  auto& force = j["problems"][2]["solutions"][1]["force"][1];
  force = force.get<double>() * (1 + 1e-6);
  std::ofstream(path) << j.dump();
  EXPECT_EQ(checked(pack), 1);
}

// What the checker prints to say how it went, with the hashes of the manifest out of play.
std::string verdict_of_checker(const std::string& pack) {
  const std::string out = pack + ".txt";
  const std::string script = "import sys; sys.path.insert(0, '" + pack +
                             "'); import check; check.file_errors = lambda manifest: []; check.check_all()";
  EXPECT_EQ(std::system(("python3 -c \"" + script + "\" > '" + out + "' 2>&1").c_str()), 0);
  return content(out);
}

TEST(CliCases, TheCheckerMissesNoSolutionAndNoDigit) {
  const Folder folder;
  const std::string pack = folder.file("pack");
  expect_done({"cases", "export", pack});
  if (!checked(pack)) GTEST_SKIP() << "no python3";
  expect_contains(verdict_of_checker(pack), {" 0 errors"});
  const std::string path = pack + "/cases/rod-three-solutions.json";
  const std::string whole = content(path);
  Json lacks = Json::parse(whole);
  lacks["problems"][2]["solutions"].erase(1);
  lacks["problems"][2]["count"] = 2;
  std::ofstream(path) << lacks.dump();
  expect_contains(verdict_of_checker(pack), {"a solution that is not listed", " 1 errors"});
  Json wrong = Json::parse(whole);
  auto& force = wrong["problems"][2]["solutions"][2]["force"][0];
  force = force.get<double>() * (1 + 1e-7);
  std::ofstream(path) << wrong.dump();
  expect_contains(verdict_of_checker(pack), {"solution 2 breaks the contact law"});
}

TEST(CliCases, IsTheSameEveryTimeAndReplacesAnEarlierPack) {
  const Folder folder;
  const std::string pack = folder.file("pack");
  const Json a = json_of({"cases", "export", pack, "--json"});
  const std::string before = content(pack + "/cases/wedge.json");
  const Json b = json_of({"cases", "export", pack, "--json"});
  EXPECT_EQ(a["hash"], b["hash"]);
  EXPECT_EQ(before, content(pack + "/cases/wedge.json"));
}

TEST(CliCases, LeavesForeignFilesAlone) {
  const Folder folder;
  const std::string mine = folder.write("thesis.tex", "years of work");
  expect_refused({"cases", "export", folder.file(".")}, {"thesis.tex", "--force"});
  EXPECT_FALSE(fs::exists(folder.file("manifest.json")));
  EXPECT_FALSE(fs::exists(folder.file("cases"))) << "not even an empty folder";
  expect_done({"cases", "export", folder.file("."), "--force"});
  EXPECT_EQ(content(mine), "years of work");
  expect_refused({"cases", "export", mine}, {"not a folder"});
}

// A manifest that somebody else wrote, or that is broken, makes no pack of a folder.
TEST(CliCases, KnowsItsOwnManifestOnly) {
  for (const std::string manifest : {"{", "[]", R"({"pack": 7, "files": []})", R"({"pack": "other", "files": 3})"}) {
    const Folder folder;
    folder.write("manifest.json", manifest);
    expect_refused({"cases", "export", folder.file(".")}, {"manifest.json"});
    EXPECT_EQ(content(folder.file("manifest.json")), manifest);
  }
  const Folder folder;
  const std::string outside = folder.write("precious", "kept");
  fs::create_directories(folder.file("pack"));
  folder.write("pack/manifest.json", R"({"pack": "painleve-cases", "files": [{"path": "cases/../../precious"}, 3]})");
  expect_done({"cases", "export", folder.file("pack")});
  EXPECT_EQ(content(outside), "kept");
}

TEST(CliCases, SaysWhyItCannotWrite) {
  const Folder folder;
  expect_refused({"cases", "export", "/proc/nowhere"}, {"/proc/nowhere"});
  expect_refused({"cases", "export", ""}, {"empty"});
  expect_refused({"cases"}, {});
}

}  // namespace cases_cli_test
