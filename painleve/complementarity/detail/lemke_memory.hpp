// What the path of Lemke's method lies in.
#pragma once

#include <array>
#include <cstddef>
#include <memory>

namespace painleve {

// Memory on the stack for `few` entries, on the heap for more.
template <class Entry, std::size_t few, bool grows>
class LemkeMemory {
 public:
  explicit LemkeMemory(std::size_t size) {
    if (grows && size > few) many_ = std::make_unique_for_overwrite<Entry[]>(size);
    data_ = many_ ? many_.get() : few_.data();
  }
  LemkeMemory(const LemkeMemory&) = delete;
  LemkeMemory& operator=(const LemkeMemory&) = delete;
  Entry* data() { return grows ? data_ : few_.data(); }
  const Entry* data() const { return grows ? data_ : few_.data(); }

 private:
  alignas(16) std::array<Entry, few> few_;
  std::unique_ptr<Entry[]> many_;
  Entry* data_;
};

template <int Size>
struct LemkeIdentity {
  constexpr LemkeIdentity() {
    for (std::size_t i = 0; i < Size; ++i) entries[i * (Size + 1)] = 1;
  }
  alignas(16) std::array<double, static_cast<std::size_t>(Size) * Size> entries{};
};

}  // namespace painleve
