// Long work that Ctrl-C can stop: it runs in a thread of its own without Python's lock, while the caller asks Python
// for signals every few milliseconds.
//
// The thread is needed because Python handles signals in its main thread alone, whereas maps and searches report their
// progress from whichever worker happens to be there. Other Python threads go on meanwhile.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <chrono>
#include <future>

namespace painleve::python {

// Set once the caller wants no more of the work.
using Stop = std::atomic<bool>;

// work(stop) must come back soon after `stop` is set; what it returns then is thrown away, and the exception that the
// signal raised (KeyboardInterrupt) goes to the caller. Needs Python's lock, and has it again at the end.
template <class Work>
auto interruptible(Work&& work) {
  constexpr auto between_questions = std::chrono::milliseconds(20);
  Stop stop{false};
  auto result = std::async(std::launch::async, [&work, &stop] { return work(stop); });
  const auto ready = [&result, between_questions] {
    const pybind11::gil_scoped_release unlocked;
    return result.wait_for(between_questions) == std::future_status::ready;
  };
  while (!ready()) {
    if (PyErr_CheckSignals() == 0) continue;
    const pybind11::error_already_set signal;
    stop = true;
    {
      const pybind11::gil_scoped_release unlocked;
      result.wait();
    }
    throw signal;
  }
  return result.get();
}

}  // namespace painleve::python
