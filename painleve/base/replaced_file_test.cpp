#include "painleve/base/replaced_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>
#include <vector>

#include "painleve/base/error.hpp"

namespace painleve {
namespace replaced_file_test {

namespace fs = std::filesystem;

class ReplacedFile : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("painleve_replaced_" + std::to_string(getpid()));
    fs::create_directory(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  static std::string content(const std::string& name) {
    std::ifstream file(name, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }
  long entries() const { return std::distance(fs::directory_iterator(folder_), fs::directory_iterator()); }

 private:
  fs::path folder_;
};

TEST_F(ReplacedFile, HoldsTheBytesAndNothingElseIsLeft) {
  replace_files({{path("a"), "old"}});
  replace_files({{path("a"), std::string("n\0w", 3)}, {path("b"), "second"}});
  EXPECT_EQ(content(path("a")), std::string("n\0w", 3));
  EXPECT_EQ(content(path("b")), "second");
  EXPECT_EQ(entries(), 2);
}

TEST_F(ReplacedFile, StaysAsItWasWhenAnotherCannotBeWritten) {
  replace_files({{path("a"), "old"}});
  EXPECT_THROW(replace_files({{path("a"), "new"}, {path("missing/b"), "x"}}), InputError);
  EXPECT_EQ(content(path("a")), "old");
  EXPECT_EQ(entries(), 1);
}

TEST_F(ReplacedFile, AFullDiskIsOneSentence) {
  try {
    replace_files({{"/dev/full", "x"}});
    FAIL() << "written";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "cannot write '/dev/full': No space left on device");
  }
}

TEST_F(ReplacedFile, IsNotOneThatIsRead) {
  replace_files({{path("a"), "old"}});
  std::filesystem::create_symlink(path("a"), path("link"));
  EXPECT_THROW(refuse_overwriting(path("a"), {path("b"), path("a")}), InputError);
  EXPECT_THROW(refuse_overwriting(path("link"), {path("a")}), InputError);
  EXPECT_NO_THROW(refuse_overwriting(path("new"), {path("a"), "rod"}));
}

TEST_F(ReplacedFile, IsLookedForBeforeTheWork) {
  EXPECT_NO_THROW(check_writable(path("new")));
  EXPECT_EQ(entries(), 0);
  replace_files({{path("a"), "old"}});
  EXPECT_NO_THROW(check_writable(path("a")));
  EXPECT_EQ(content(path("a")), "old");
  EXPECT_THROW(check_writable(path("missing/b")), InputError);
  EXPECT_THROW(check_writable(path("")), InputError);  // the folder itself
  EXPECT_THROW(check_writable(""), InputError);
}

// Whoever is last wins; nobody sees a mixture, and nobody's probe takes away what another writes.
TEST_F(ReplacedFile, IsWrittenByOneAfterTheOther) {
  constexpr std::size_t length = 300000;
  std::vector<std::thread> writers;
  for (const char letter : {'a', 'b', 'c'}) {
    writers.emplace_back([this, letter] {
      for (int k = 0; k < 20; ++k) {
        EXPECT_NO_THROW(check_writable(path("x")));
        EXPECT_NO_THROW(replace_files({{path("y"), "second"}, {path("x"), std::string(length, letter)}}));
        const std::string found = content(path("x"));
        EXPECT_EQ(found, std::string(length, found.front()));
      }
    });
  }
  for (std::thread& one : writers) one.join();
  EXPECT_EQ(entries(), 2);
}

TEST_F(ReplacedFile, TakesOverWhatAnEndedProcessLeft) {
  std::ofstream(path("a.part")) << std::string(1000, 'x');
  replace_files({{path("a"), "short"}});
  EXPECT_EQ(content(path("a")), "short");
  EXPECT_EQ(entries(), 1);
}

TEST_F(ReplacedFile, IsGivenOnce) {
  EXPECT_THROW(replace_files({{path("a"), "1"}, {path("b"), "2"}, {path("a"), "3"}}), InputError);
  EXPECT_EQ(entries(), 0);
}

}  // namespace replaced_file_test
}  // namespace painleve
