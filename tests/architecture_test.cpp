// The direction of dependence between modules, and what library code never does, read from the sources themselves.
//
//   base <- contact <- { mechanism <- robot } <- simulation <- scene <- study <- { figure, engines } <- reproduction <-
//   apps
//                 ^- { cone, complementarity } <- modes <- impact <-^
//                                                     ^- c
//
// A module may include itself and what lies to its left; the two branches between contact and simulation do not see
// each other.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace architecture_test {

namespace fs = std::filesystem;

// The picture above: each module with its nearest neighbours to the left.
const std::map<std::string, std::set<std::string>>& neighbours() {
  static const std::map<std::string, std::set<std::string>> arrows = {
      {"base", {}},
      {"contact", {"base"}},
      {"mechanism", {"contact"}},
      {"robot", {"mechanism"}},
      {"cone", {"contact"}},
      {"complementarity", {"contact"}},
      {"modes", {"cone", "complementarity"}},
      {"impact", {"modes"}},
      {"c", {"modes"}},
      {"simulation", {"robot", "impact"}},
      {"scene", {"simulation"}},
      {"study", {"scene"}},
      {"figure", {"study"}},
      {"engines", {"study"}},
      {"reproduction", {"figure", "engines"}},
      {"apps", {"reproduction"}},
  };
  return arrows;
}

bool may_include(const std::string& from, const std::string& to) {
  if (from == to) {
    return true;
  }
  const auto found = neighbours().find(from);
  return found != neighbours().end() && std::any_of(found->second.begin(), found->second.end(),
                                                    [&](const std::string& left) { return may_include(left, to); });
}

// "painleve/cone/detail/x.hpp" -> "cone", "apps/cli/main.cpp" -> "apps", anything outside of both -> "".
std::string module_of(const fs::path& path) {
  auto part = path.begin();
  if (part == path.end()) {
    return "";
  }
  if (*part == "apps") {
    return "apps";
  }
  if (*part != "painleve" || ++part == path.end()) {
    return "";
  }
  return part->string();
}

// The file that an include names, relative to the project's root; third-party headers stay as they are.
fs::path included_path(const fs::path& file, const std::string& name, bool quoted) {
  const bool from_root = name.starts_with("painleve/") || name.starts_with("apps/");
  return from_root || !quoted ? fs::path(name) : (file.parent_path() / name).lexically_normal();
}

// One sentence per include in `text` that points the wrong way; `file` is relative to the project's root.
std::vector<std::string> wrong_includes(const fs::path& file, const std::string& text) {
  static const std::regex include(R"re(^\s*#\s*include\s*([<"])([^>"]+)[>"])re");
  const std::string from = module_of(file);
  std::vector<std::string> wrong;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (!std::regex_search(line, match, include)) {
      continue;
    }
    const fs::path target = included_path(file, match[2], match[1] == "\"");
    const std::string to = module_of(target);
    if (to.empty()) {
      continue;
    }
    if (!may_include(from, to)) {
      wrong.push_back(file.string() + ": " + from + " must not include " + target.string());
    } else if (from != to && target.string().find("/detail/") != std::string::npos) {
      wrong.push_back(file.string() + ": " + target.string() + " is private to " + to);
    }
  }
  return wrong;
}

// The position after a literal that starts at `begin` with its quote; `raw` for R"(...)".
std::size_t end_of_literal(std::string_view text, std::size_t begin, bool raw) {
  if (raw) {
    const std::size_t open = text.find('(', begin);
    const std::string close = ")" + std::string(text.substr(begin + 1, open - begin - 1)) + "\"";
    const std::size_t end = text.find(close, open);
    return end == std::string_view::npos ? text.size() : end + close.size();
  }
  std::size_t i = begin + 1;
  while (i < text.size() && text[i] != text[begin]) {
    i += text[i] == '\\' ? 2U : 1U;
  }
  return std::min(i + 1, text.size());
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// The text with each comment and each string or character literal replaced by a space.
std::string code_only(std::string_view text) {
  std::string code;
  std::size_t i = 0;
  while (i < text.size()) {
    const std::string_view rest = text.substr(i);
    const char before = code.empty() ? ' ' : code.back();
    if (rest.starts_with("//")) {
      i = std::min(text.find('\n', i), text.size());
    } else if (rest.starts_with("/*")) {
      const std::size_t end = text.find("*/", i + 2);
      i = end == std::string_view::npos ? text.size() : end + 2;
    } else if (rest.front() == '"') {
      i = end_of_literal(text, i, before == 'R');
    } else if (rest.front() == '\'' && !is_word(before)) {  // after a digit it separates digits
      i = end_of_literal(text, i, false);
    } else {
      code += text[i++];
      continue;
    }
    code += ' ';
  }
  return code;
}

// What library code never does: print, end the program, read the environment. One sentence per occurrence.
std::vector<std::string> forbidden_calls(const fs::path& file, const std::string& text) {
  static const std::regex forbidden(
      R"re((\bstd\s*::\s*(cout|cerr|clog)\b))re"
      R"re(|(\bfmt\s*::\s*v?print(ln)?\s*\())re"
      R"re(|((^|[^\w.>])(v?f?printf|puts|fputs|putchar|exit|_Exit|_exit|quick_exit|abort|getenv|secure_getenv)\s*\())re");
  const std::string code = code_only(text);
  std::vector<std::string> found;
  for (auto it = std::sregex_iterator(code.begin(), code.end(), forbidden); it != std::sregex_iterator(); ++it) {
    // A child between fork and exec can end in no other way.
    const bool in_child = file == "painleve/base/child_process.cpp" && it->str().find("_exit") != std::string::npos;
    if (in_child) continue;
    found.push_back(file.string() + ": library code must not use " + it->str());
  }
  return found;
}

std::string read(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

struct Source {
  fs::path path;  // relative to the project's root
  std::string text;
};

std::vector<Source> sources(const std::set<std::string>& folders) {
  const fs::path root = PAINLEVE_SOURCE_DIR;
  std::vector<Source> all;
  for (const std::string& folder : folders) {
    if (!fs::exists(root / folder)) {
      continue;
    }
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      const fs::path extension = entry.path().extension();
      if (entry.is_regular_file() && (extension == ".hpp" || extension == ".cpp")) {
        all.push_back({fs::relative(entry.path(), root), read(entry.path())});
      }
    }
  }
  return all;
}

std::string joined(const std::vector<std::string>& sentences) {
  std::string text;
  for (const std::string& sentence : sentences) {
    text += sentence + "\n";
  }
  return text;
}

TEST(Architecture, IncludesPointToTheLeft) {
  const std::vector<Source> all = sources({"painleve", "apps"});
  ASSERT_FALSE(all.empty());
  for (const Source& source : all) {
    const std::vector<std::string> wrong = wrong_includes(source.path, source.text);
    EXPECT_TRUE(wrong.empty()) << joined(wrong);
  }
}

TEST(Architecture, EveryModuleFolderIsKnown) {
  for (const auto& entry : fs::directory_iterator(fs::path(PAINLEVE_SOURCE_DIR) / "painleve")) {
    EXPECT_TRUE(neighbours().contains(entry.path().filename().string()))
        << entry.path() << " is not a module that this test knows";
  }
}

// The sources and tests of a folder are listed by hand; one that is left out would compile nowhere and test nothing.
TEST(Architecture, EverySourceIsBuilt) {
  for (const Source& source : sources({"painleve", "apps", "tests"})) {
    if (source.path.extension() != ".cpp") {
      continue;
    }
    fs::path folder = fs::path(PAINLEVE_SOURCE_DIR) / source.path.parent_path();
    while (!fs::exists(folder / "CMakeLists.txt")) {
      folder = folder.parent_path();
    }
    const std::string name = fs::relative(PAINLEVE_SOURCE_DIR / source.path, folder).string();
    EXPECT_NE(read(folder / "CMakeLists.txt").find(name), std::string::npos)
        << source.path << " is not listed in " << folder / "CMakeLists.txt";
  }
}

TEST(Architecture, LibraryNeverPrintsEndsTheProgramOrReadsTheEnvironment) {
  for (const Source& source : sources({"painleve"})) {
    if (source.path.string().ends_with("_test.cpp")) {
      continue;
    }
    const std::vector<std::string> found = forbidden_calls(source.path, source.text);
    EXPECT_TRUE(found.empty()) << joined(found);
  }
}

// The reference page names every public header, and what it names is in that header. docs/api.py writes it anew.
TEST(Documentation, ApiPageAndHeadersAgree) {
  const fs::path root = PAINLEVE_SOURCE_DIR;
  std::istringstream page(read(root / "docs/api.md"));
  static const std::regex row(R"re(^- \*\*`(painleve/[^`]+)`\*\*)re");
  static const std::regex symbol(R"re(`(\w+)`)re");
  std::set<std::string> named;
  for (std::string line; std::getline(page, line);) {
    std::smatch match;
    if (!std::regex_search(line, match, row)) {
      continue;
    }
    named.insert(match[1]);
    const std::string text = read(root / match[1].str());
    EXPECT_FALSE(text.empty()) << match[1] << " does not exist; run docs/api.py";
    const std::string rest = match.suffix();
    for (auto it = std::sregex_iterator(rest.begin(), rest.end(), symbol); it != std::sregex_iterator(); ++it) {
      const std::regex word("\\b" + (*it)[1].str() + "\\b");
      EXPECT_TRUE(std::regex_search(text, word)) << (*it)[1] << " is not in " << match[1] << "; run docs/api.py";
    }
  }
  for (const Source& source : sources({"painleve"})) {
    const bool is_public = source.path.extension() == ".hpp" &&
                           source.path.string().find("/detail/") == std::string::npos &&
                           !source.path.stem().string().ends_with("_for_tests");
    EXPECT_TRUE(!is_public || named.contains(source.path.generic_string()))
        << source.path << " is not in docs/api.md; run docs/api.py";
  }
  EXPECT_TRUE(named.contains("painleve/c/painleve.h"));
}

// The code of the tutorial is the example that is compiled and run.
TEST(Documentation, TheTutorialShowsTheExample) {
  const fs::path root = PAINLEVE_SOURCE_DIR;
  const std::string page = read(root / "docs/tutorial-add-your-own.md");
  const std::string open = "```cpp\n";
  const std::size_t begin = page.find(open);
  ASSERT_NE(begin, std::string::npos);
  const std::size_t end = page.find("```", begin + open.size());
  EXPECT_EQ(page.substr(begin + open.size(), end - begin - open.size()), read(root / "examples/own_mechanism.cpp"));
}

// The checker itself.

TEST(ArchitectureChecker, AcceptsArrowsToTheLeft) {
  EXPECT_TRUE(wrong_includes("painleve/cone/a.cpp",
                             "#include \"painleve/base/error.hpp\"\n"
                             "#include \"painleve/cone/detail/b.hpp\"\n"
                             "#include \"detail/b.hpp\"\n"
                             "#include <vector>\n")
                  .empty());
  EXPECT_TRUE(wrong_includes("apps/cli/a.cpp", "#include \"painleve/scene/scene.hpp\"\n").empty());
  EXPECT_TRUE(may_include("study", "robot"));
  EXPECT_TRUE(may_include("simulation", "complementarity"));
}

TEST(ArchitectureChecker, CatchesWrongArrows) {
  EXPECT_EQ(wrong_includes("painleve/base/a.hpp", "#include \"painleve/contact/b.hpp\"\n").size(), 1U);
  EXPECT_EQ(wrong_includes("painleve/base/a.hpp", "  # include <painleve/contact/b.hpp>\n").size(), 1U);
  EXPECT_EQ(wrong_includes("painleve/cone/a.hpp", "#include \"../modes/b.hpp\"\n").size(), 1U);
  EXPECT_EQ(wrong_includes("painleve/study/a.cpp", "#include \"apps/cli/b.hpp\"\n").size(), 1U);
  EXPECT_EQ(wrong_includes("painleve/modes/a.cpp", "#include \"painleve/cone/detail/b.hpp\"\n").size(), 1U);
  EXPECT_EQ(wrong_includes("painleve/utils/a.cpp", "#include \"painleve/base/error.hpp\"\n").size(), 1U);
}

TEST(ArchitectureChecker, KeepsTheBranchesApart) {
  for (const std::string mechanical : {"mechanism", "robot"}) {
    for (const std::string analysis : {"cone", "complementarity", "modes", "impact"}) {
      EXPECT_FALSE(may_include(mechanical, analysis)) << mechanical << " -> " << analysis;
      EXPECT_FALSE(may_include(analysis, mechanical)) << analysis << " -> " << mechanical;
    }
  }
  EXPECT_FALSE(may_include("cone", "complementarity"));
  EXPECT_FALSE(may_include("complementarity", "cone"));
  for (const std::string mechanical : {"mechanism", "simulation", "scene"}) {
    EXPECT_FALSE(may_include("c", mechanical)) << "the C interface knows contact space alone";
  }
  EXPECT_FALSE(may_include("figure", "engines"));
  EXPECT_FALSE(may_include("engines", "figure"));
}

TEST(ArchitectureChecker, CatchesForbiddenCalls) {
  for (const std::string call :
       {"std::cout << 1;", "std :: cerr << 1;", "printf(\"x\");", "std::printf(\"x\");", "fmt::print(\"x\");",
        "exit (1);", "std::abort();", "auto h = std::getenv(\"HOME\");"}) {
    EXPECT_EQ(forbidden_calls("painleve/base/a.cpp", "void f() { " + call + " }").size(), 1U) << call;
  }
}

TEST(ArchitectureChecker, LeavesCommentsLiteralsAndOtherNamesAlone) {
  for (const std::string harmless :
       {"// std::cout << exit(1)", "/* abort() */", "auto s = \"exit(1) \\\" std::cerr\";",
        "auto s = R\"x(printf(\")\")x\";", "std::snprintf(b, 9, \"%d\", 1);", "region.exit(1);", "on_exit(1);",
        "int n = 1'000; char c = '\"'; int exit_code = 0;"}) {
    EXPECT_TRUE(forbidden_calls("painleve/base/a.cpp", harmless).empty()) << harmless;
  }
}

}  // namespace architecture_test
