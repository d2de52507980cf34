// The verb report, run as a user runs it.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "child_program.hpp"

namespace report_cli_test {

using namespace painleve_cli;

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++found;
  return found;
}

TEST(CliReport, HasEverySectionOfTheRodWithoutSolution) {
  const Folder folder;
  const std::string page = folder.file("rod.html");
  const Json answer = json_of({"report", "rod-no-solution", "-o", page, "--cells", "15", "--t-end", "0.02",
                               "--no-limits", "--json", "--quiet"});
  EXPECT_EQ(answer["command"], "report");
  EXPECT_EQ(answer["complete"], true);
  EXPECT_EQ(answer["files"], Json::array({page}));
  const std::string html = content(page);
  expect_contains(html,
                  {"<!DOCTYPE html>", "</html>", "inconsistent", "All solutions", "Around this state", "compliant"});
  EXPECT_GE(count(html, "<svg"), 8U);
  EXPECT_EQ(count(html, "<svg"), count(html, "</svg>"));
  EXPECT_EQ(count(html, "<script"), 0U);
  EXPECT_EQ(count(html, "src=\"http"), 0U);
  // 1 solution of the step, (Λ_n, Λ_t) = (0.3329, 0.4407): tangent first in the table.
  expect_contains(html, {"0.4407", "0.3329"});
}

TEST(CliReport, IsWrittenForEveryScenario) {
  const Folder folder;
  for (const auto& scene : json_of({"gallery", "--json"})["scenarios"]) {
    const std::string name = scene["name"];
    const std::string page = folder.file(name + ".html");
    const Outcome o = run({"report", name, "-o", page, "--cells", "5", "--t-end", "0.01", "--no-limits", "--quiet"});
    EXPECT_EQ(o.code, 0) << name << ": " << o.err;
    EXPECT_EQ(o.err, "") << name;
    const std::string html = content(page);
    EXPECT_NE(html.find("</html>"), std::string::npos) << name;
    EXPECT_EQ(count(html, ">nan<") + count(html, ">inf<"), 0U) << name;
  }
}

TEST(CliReport, EscapesWhatItDidNotWrite) {
  const Folder folder;
  const std::string scene = folder.write("<img src=x>.toml", "schema = 1\nmechanism = \"rod\"\n");
  const std::string page = folder.file("page.html");
  const Outcome o = run({"report", scene, "-o", page, "--cells", "3", "--t-end", "0.001", "--no-limits", "--quiet"});
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_EQ(content(page).find("<img"), std::string::npos);
}

TEST(CliReport, RefusesBadInputInOneSentence) {
  const Folder folder;
  const std::string page = folder.file("page.html");
  expect_refused({"report", "rod"}, {"--output"});
  expect_refused({"report", "rood", "-o", page}, {"rood"});
  expect_refused({"report", "rod", "-o", folder.file("none/page.html")}, {"cannot write", "No such file"});
  expect_refused({"report", "rod", "-o", page, "--cells", "1"}, {"2 to 2000"});
  expect_refused({"report", "rod", "-o", page, "--t-end", "-1"}, {"> 0"});
  expect_refused({"report", "rod", "-o", page, "--dt", "nan"}, {"--dt"});
  EXPECT_FALSE(fs::exists(page));
}

TEST(CliReport, AFullDiskIsOneSentence) {
  expect_refused({"report", "rod", "-o", "/dev/full", "--cells", "3", "--t-end", "0.001", "--no-limits", "--quiet"},
                 {"cannot write '/dev/full'", "No space left"});
}

}  // namespace report_cli_test
