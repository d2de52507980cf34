#include "painleve/base/threads.hpp"

#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>

namespace painleve::threads_test {

TEST(Threads, ZeroIsOnePerCore) {
  EXPECT_EQ(thread_count(3), 3U);
  EXPECT_GE(thread_count(0), 1U);
  EXPECT_EQ(thread_count(0), std::max(1U, std::thread::hardware_concurrency()));
}

TEST(Threads, TheCallerIsOneOfThem) {
  for (const std::size_t count : {0U, 1U, 2U, 5U}) {
    std::atomic<int> here = 0, elsewhere = 0;
    const auto caller = std::this_thread::get_id();
    in_threads(count, [&](bool of_caller) {
      EXPECT_EQ(of_caller, std::this_thread::get_id() == caller);
      ++(of_caller ? here : elsewhere);
    });
    EXPECT_EQ(here, 1);
    EXPECT_EQ(elsewhere, std::max<int>(static_cast<int>(count), 1) - 1);
  }
}

// With a stack that no machine has, every new thread is refused: the caller does all of it.
TEST(Threads, AreDoneWithoutWhereThereAreNone) {
  pthread_attr_t usual, impossible;
  pthread_getattr_default_np(&usual);
  pthread_attr_init(&impossible);
  ASSERT_EQ(pthread_attr_setstacksize(&impossible, std::size_t{1} << 50U), 0);
  ASSERT_EQ(pthread_setattr_default_np(&impossible), 0);
  std::atomic<int> next = 0, workers = 0;
  in_threads(4, [&](bool) {
    ++workers;
    while (next < 100) ++next;
  });
  pthread_setattr_default_np(&usual);
  EXPECT_EQ(workers, 1);
  EXPECT_EQ(next, 100);
  pthread_attr_destroy(&impossible);
  pthread_attr_destroy(&usual);
}

}  // namespace painleve::threads_test
