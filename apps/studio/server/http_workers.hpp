// A few threads that compute answers, with a queue that has an end.
//
// Long tasks wait for the short ones, and only one of them runs at a time: whoever posts megabytes in a row waits for
// their own, not the page for them.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace painleve::studio {

class Workers {
 public:
  using Task = std::function<void()>;  // must not throw

  Workers(int threads, std::size_t waiting);
  ~Workers();  // drops what waits and lets what runs end
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  enum class Length { brief, lengthy };
  bool submit(Task task, Length length = Length::brief);  // false: too many wait

 private:
  void work();
  bool has_task() const;

  std::size_t most_waiting_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Task> brief_, lengthy_;
  bool at_lengthy_ = false, ending_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace painleve::studio
