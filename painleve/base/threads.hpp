// Work shared by threads that take piece after piece from a common counter.
#pragma once

#include <algorithm>
#include <cstddef>
#include <system_error>
#include <thread>
#include <vector>

namespace painleve {

// How many threads to use when `threads` were asked for: 0 is one per core.
inline std::size_t thread_count(int threads) {
  return threads > 0 ? static_cast<std::size_t>(threads) : std::max(1U, std::thread::hardware_concurrency());
}

// Calls work(true) here and work(false) in up to `count` - 1 other threads, and returns when all have ended. `work`
// must not throw, and must not need the others: where the system has no thread to give, fewer do all of it.
template <typename Work>
void in_threads(std::size_t count, const Work& work) {
  std::vector<std::jthread> others;
  try {
    for (std::size_t k = 1; k < count; ++k) others.emplace_back([&work] { work(false); });
  } catch (const std::system_error&) {  // those that have begun are enough
  }
  work(true);
}

}  // namespace painleve
