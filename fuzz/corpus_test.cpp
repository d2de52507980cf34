// The corpus through all targets, without a fuzzer: what was found once stays found, with every compiler and under
// every sanitizer. One test per target.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>

#include "target.hpp"

namespace painleve::fuzz {
namespace {

std::vector<std::filesystem::path> inputs(const std::string& name) {
  std::vector<std::filesystem::path> files;
  const std::filesystem::path folder = std::filesystem::path(PAINLEVE_SOURCE_DIR) / "fuzz/corpus" / name;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

class Corpus : public ::testing::TestWithParam<std::string> {};

TEST_P(Corpus, BreaksNoLaw) {
  const Target& one = target(GetParam());
  const auto files = inputs(one.name);
  ASSERT_FALSE(files.empty());
  for (const auto& path : files) {
    std::ifstream file(path, std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(file), {});
    try {
      one.run(bytes);
    } catch (const LawBroken& broken) {
      ADD_FAILURE() << path.string() << ": " << broken.sentence;
    }
  }
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const Target& one : targets()) all.push_back(one.name);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Fuzz, Corpus, ::testing::ValuesIn(names()),
                         [](const auto& instance) { return instance.param; });

TEST(Targets, ABrokenLawIsSeen) {
  EXPECT_NO_THROW(law(true, "holds"));
  EXPECT_THROW(law(false, "does not"), LawBroken);
  EXPECT_THROW(check_sentence(""), LawBroken);
  EXPECT_THROW(check_sentence("two\nlines"), LawBroken);
  EXPECT_THROW(check_sentence(std::string(5000, 'a')), LawBroken);
  EXPECT_NO_THROW(check_sentence("one sentence, with a µ"));
  EXPECT_FALSE(accepted([] { throw InputError("no"); }));
  EXPECT_TRUE(accepted([] {}));
  EXPECT_THROW(accepted([] { throw std::runtime_error("other"); }), LawBroken);
  EXPECT_THROW(target("scenaro"), InputError);
}

}  // namespace
}  // namespace painleve::fuzz
