#include "http_workers.hpp"

#include <system_error>
#include <utility>

namespace painleve::studio {

Workers::Workers(int threads, std::size_t waiting) : most_waiting_(waiting) {
  try {
    for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
  } catch (const std::system_error&) {  // where the system has no more to give, fewer do
    if (threads_.empty()) throw;
  }
}

Workers::~Workers() {
  std::deque<Task> dropped, dropped_too;  // destroyed without the lock
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    dropped.swap(brief_);
    dropped_too.swap(lengthy_);
  }
  wake_.notify_all();
  for (auto& thread : threads_) thread.join();
}

bool Workers::submit(Task task, Length length) {
  {
    const std::lock_guard lock(mutex_);
    if (brief_.size() + lengthy_.size() >= most_waiting_) return false;
    (length == Length::brief ? brief_ : lengthy_).push_back(std::move(task));
  }
  wake_.notify_one();
  return true;
}

bool Workers::has_task() const { return !brief_.empty() || (!lengthy_.empty() && !at_lengthy_); }

void Workers::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this] { return ending_ || has_task(); });
    if (ending_) return;
    const bool lengthy = brief_.empty();
    std::deque<Task>& queue = lengthy ? lengthy_ : brief_;
    Task task = std::move(queue.front());
    queue.pop_front();
    if (lengthy) at_lengthy_ = true;
    lock.unlock();
    task();
    task = nullptr;  // what it holds goes without the lock
    lock.lock();
    if (lengthy) at_lengthy_ = false;
  }
}

}  // namespace painleve::studio
