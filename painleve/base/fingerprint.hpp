// 64-bit hashes of bytes: of problems, of robots, of records of a checkpoint. They tell one from another and need not
// withstand malice.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace painleve {

// Takes eight bytes at a time. For a given state the step is one to one in the word, and for a given word in the
// state, so that bytes that differ in one word never have the same hash; others do with a chance of 2⁻⁶⁴.
inline std::uint64_t hash_bytes(std::string_view bytes, std::uint64_t hash = 0x9e3779b97f4a7c15U) {
  const auto step = [&hash](std::uint64_t word) {
    hash = (hash ^ word) * 0xbf58476d1ce4e5b9U;
    hash ^= hash >> 31U;
  };
  std::size_t at = 0;
  for (; at + 8 <= bytes.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, 8);
    step(word);
  }
  std::uint64_t rest = 0;
  if (at < bytes.size()) std::memcpy(&rest, bytes.data() + at, bytes.size() - at);
  step(rest);
  step(bytes.size());
  hash = (hash ^ (hash >> 29U)) * 0x94d049bb133111ebU;
  return hash ^ (hash >> 32U);
}

// Of a sequence of things; each is added with its length.
class Fingerprint {
 public:
  void add(std::string_view text) { hash_ = hash_bytes(text, hash_); }
  void add(const char* text) { add(std::string_view(text)); }
  void add(double x) {
    char raw[sizeof x];
    std::memcpy(raw, &x, sizeof x);
    add(std::string_view(raw, sizeof x));
  }
  void add(long x) {
    char raw[sizeof x];
    std::memcpy(raw, &x, sizeof x);
    add(std::string_view(raw, sizeof x));
  }
  void add(int x) { add(static_cast<long>(x)); }
  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0x2545f4914f6cdd1dU;
};

}  // namespace painleve
