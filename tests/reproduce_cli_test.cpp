// The verb reproduce, run as a user runs it.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "child_program.hpp"

namespace reproduce_cli_test {

using namespace painleve_cli;

TEST(CliReproduce, ListsPapersAndItems) {
  expect_contains(expect_done({"reproduce", "--list"}).out,
                  {"peiret  A. Peiret", "fig-6", "preclik", "champneys-varkonyi", "varkonyi"});
  const Json j = json_of({"reproduce", "preclik", "--list", "--json"});
  ASSERT_EQ(j["items"].size(), 7U);
  EXPECT_EQ(j["items"][0]["paper"], "preclik");
  EXPECT_EQ(j["items"][0]["scenarios"][0], "rod-no-solution");
}

TEST(CliReproduce, OneItemWithItsNumbers) {
  const Json j = json_of({"reproduce", "peiret/eq-45-49", "--json"});
  EXPECT_EQ(j["explained"], true);
  EXPECT_EQ(j["complete"], true);
  ASSERT_EQ(j["items"].size(), 1U);
  const Json& item = j["items"][0];
  EXPECT_EQ(item["item"], "eq-45-49");
  EXPECT_EQ(item["compared"], item["comparisons"].size());
  EXPECT_GE(item["matched"], 18);
  EXPECT_EQ(item["errata"], 12);
  for (const auto& c : item["comparisons"]) {
    EXPECT_TRUE(c["match"] == true || c["erratum"] != "") << c;
  }
  expect_contains(expect_done({"reproduce", "peiret/eq-45-49"}).out,
                  {"compared", "peiret/eq-45-49", "explained", "erratum E-P7", "−9.766 printed, -9.78089 computed"});
}

TEST(CliReproduce, ThePageIsTheSameForAnyNumberOfThreads) {
  const Folder folder;
  for (const std::string threads : {"1", "3"}) {
    expect_done({"reproduce", "preclik", "--threads", threads, "-o", folder.file("page" + threads + ".html")});
  }
  const std::string page = content(folder.file("page1.html"));
  EXPECT_EQ(page, content(folder.file("page3.html")));
  expect_contains(page, {"<!DOCTYPE html>", "prefers-color-scheme: dark", "id=\"preclik-fig-5\"", "<svg", "0.3688",
                         "0.368749", "△ erratum E-R7", "✓ matches"});
  EXPECT_EQ(page.find("<script"), std::string::npos);
  EXPECT_FALSE(fs::exists(folder.file("page1.html.part")));
}

std::string without_pictures(std::string page) {
  const std::string end = "</svg>";
  for (auto at = page.find("<svg"); at != std::string::npos; at = page.find("<svg", at)) {
    page.erase(at, page.find(end, at) + end.size() - at);
  }
  return page;
}

// Pictures depend on the fonts of the machine; all words and numbers of the page do not.
TEST(CliReproduce, ThePageInTheDocumentationIsWhatIsComputed) {
  const Folder folder;
  expect_done({"reproduce", "-o", folder.file("page.html")});
  const std::string computed = without_pictures(content(folder.file("page.html")));
  const std::string kept = without_pictures(content(PAINLEVE_SOURCE_DIR "/docs/reproduction.html"));
  EXPECT_GT(kept.size(), 50000U);
  const auto differs = std::mismatch(computed.begin(), computed.end(), kept.begin(), kept.end());
  const auto at = static_cast<std::size_t>(differs.first - computed.begin());
  const std::size_t from = at < 100 ? 0 : at - 100;
  EXPECT_TRUE(computed == kept) << "build/release/bin/painleve reproduce -o docs/reproduction.html writes it anew; at "
                                << computed.substr(from, 300) << "\ninstead of\n"
                                << kept.substr(std::min(from, kept.size()), 300);
}

TEST(CliReproduce, FiguresAsFiles) {
  const Folder folder;
  expect_done({"reproduce", "peiret/fig-3", "--figures", folder.file("new/pictures")});
  expect_contains(content(folder.file("new/pictures/peiret-fig-3.svg")), {"<svg", "locking angle"});
  expect_done({"reproduce", "peiret/fig-3", "--figures", folder.file("new"), "--format", "png"});
  EXPECT_TRUE(content(folder.file("new/peiret-fig-3.png")).starts_with("\x89PNG"));
}

TEST(CliReproduce, RefusesWhatItDoesNotKnow) {
  const Folder folder;
  const std::string file = folder.write("a-file", "");
  expect_refused({"reproduce", "peirett"}, {"unknown paper", "did you mean 'peiret'"});
  expect_refused({"reproduce", "peiret/fig-55"}, {"unknown item of peiret", "did you mean 'fig-5'"});
  expect_refused({"reproduce", "peiret", "--format", "gif"}, {"format", "svg"});
  expect_refused({"reproduce", "peiret", "--threads", "-1"}, {"--threads"});
  expect_refused({"reproduce", "peiret", "-o", folder.file("nowhere/page.html")}, {"nowhere"});
  expect_refused({"reproduce", "peiret", "--figures", file}, {"a-file", "folder"});
}

TEST(CliReproduce, CtrlCKeepsWhatIsDone) {
  const Folder folder;
  Child child({"reproduce", "--threads", "1", "--json", "-o", folder.file("page.html")}, {});
  std::this_thread::sleep_for(std::chrono::milliseconds(1000));
  ASSERT_EQ(kill(child.pid(), SIGINT), 0);
  const Outcome o = child.wait();
  EXPECT_EQ(o.code, 130) << "signal " << o.signal;
  EXPECT_EQ(o.err, "");
  const Json j = Json::parse(o.out);
  EXPECT_EQ(j["complete"], false);
  EXPECT_GE(j["items"].size(), 1U);
  expect_contains(content(folder.file("page.html")), {"Interrupted", "</html>"});
}

}  // namespace reproduce_cli_test
