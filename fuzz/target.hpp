// What a fuzz target is: a function that takes any bytes and checks laws. The same functions run under libFuzzer, which
// invents the bytes, and as a plain test, which replays the corpus.
//
// The law that all share: bytes are accepted, or refused by an InputError with one sentence that can be shown as it is.
// Any other exception is a finding, as is whatever a sanitizer reports.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "painleve/base/error.hpp"

namespace painleve::fuzz {

struct Target {
  std::string name;
  std::string about;       // what reads the bytes
  std::size_t most_bytes;  // of an input; longer ones only repeat what shorter ones find
  void (*run)(std::string_view bytes);
};

const std::vector<Target>& targets();
const Target& target(const std::string& name);  // throws InputError with the nearest name

// Not a std::exception, so that no handler on the way takes it for an ordinary failure.
struct LawBroken {
  std::string sentence;
};
void law(bool holds, const std::string& sentence);

// One sentence on one line: neither empty nor endless, no control characters.
void check_sentence(const std::string& sentence);

// Whether `read` came to its end; false: it refused as it should.
template <class Read>
bool accepted(Read&& read) {
  try {
    read();
    return true;
  } catch (const InputError& error) {
    check_sentence(error.what());
    return false;
  } catch (const std::exception& error) {
    throw LawBroken{std::string("an exception that is no InputError left: ") + error.what()};
  }
}

// An empty folder of this process, made anew where it is gone; it goes when the process ends.
std::filesystem::path scratch_folder();
void write_file(const std::filesystem::path& path, std::string_view bytes);

// Bytes as choices and numbers, from the front; 0 when there are none left.
class Draw {
 public:
  explicit Draw(std::string_view bytes) : bytes_(bytes) {}

  bool empty() const { return bytes_.empty(); }
  unsigned byte();
  unsigned below(unsigned bound) { return byte() % bound; }
  // Small whole numbers, halves, edge cases and, now and then, any eight bytes.
  double number();
  std::string_view rest() const { return bytes_; }

 private:
  std::string_view bytes_;
};

}  // namespace painleve::fuzz
