// What the path of Lemke's method lies in.
#pragma once

#include <array>
#include <cstddef>
#include <memory>

namespace painleve {

// Memory on the stack for `few` entries, on the heap for more.
template <class Entry, std::size_t few>
class LemkeMemory {
 public:
  explicit LemkeMemory(std::size_t size) {
    if (size > few) many_ = std::make_unique_for_overwrite<Entry[]>(size);
    data_ = many_ ? many_.get() : few_.data();
  }
  LemkeMemory(const LemkeMemory&) = delete;
  LemkeMemory& operator=(const LemkeMemory&) = delete;
  Entry* data() { return data_; }
  const Entry* data() const { return data_; }

 private:
  alignas(16) std::array<Entry, few> few_;
  std::unique_ptr<Entry[]> many_;
  Entry* data_;
};

}  // namespace painleve
