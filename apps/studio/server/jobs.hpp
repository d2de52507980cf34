// Long work in the background: one job after the other, each using all cores, at a lower priority than the answers to
// quick questions.
//
// A job is known by its request: the same request finds the job that is there, waiting, running or done, so a page
// that is loaded again goes on where it was. Finished jobs are kept as long as there is room for their results.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

#include "api.hpp"

namespace painleve::studio {

struct JobLimits {
  std::size_t waiting = 32;              // more: refused
  std::size_t kept = 1000;               // finished jobs; the oldest go first
  std::size_t kept_bytes = 256u << 20;   // of results and requests; the oldest finished jobs go first
  std::size_t result_bytes = 64u << 20;  // of one result; more: the job fails with a sentence
};

enum class JobStatus { waiting, running, done, failed, cancelled };
const char* to_string(JobStatus status);

class TooManyJobs : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Jobs {
 public:
  // Told of every change of a job and, some ten times a second, of its progress; in the order in which things happened,
  // one call at a time, from any thread. It must return quickly and must not call back.
  using Listener = std::function<void(const std::string& state_json)>;

  explicit Jobs(std::map<std::string, LongCall> calls, JobLimits limits = {});
  ~Jobs();  // cancels all and waits
  Jobs(const Jobs&) = delete;
  Jobs& operator=(const Jobs&) = delete;

  void listen(Listener listener);  // one, set before the first job

  // {"kind": "map", …}: the state of the job, started or found. A failed or cancelled one is started anew. Throws
  // InputError for an unknown kind (what else may be wrong: check_job()), TooManyJobs where too many wait.
  Json start(const Json& request);
  // State and newest result as JSON text, where its stage is beyond `after`; result null otherwise. Throws InputError
  // for an unknown id.
  std::string result(const std::string& id, int after = 0) const;
  // A job that waits is cancelled at once, one that runs as soon as it looks up; what it has published stays.
  Json cancel(const std::string& id);
  Json list() const;          // states, newest first
  std::size_t bytes() const;  // of the results and requests that are kept

 private:
  struct Job;
  using JobPointer = std::shared_ptr<Job>;

  void work(const std::stop_token& stop);
  void run(const JobPointer& job);
  void finish(const JobPointer& job, const std::string& error);
  JobContext context(const JobPointer& job);
  void publish(const JobPointer& job, const Json& result);
  bool proceed(const JobPointer& job, double part);

  // With mutex_ held.
  std::string id_of(const std::string& request) const;
  const JobPointer& known(const std::string& id) const;
  JobPointer enqueue(const std::string& id, const Json& request, const std::string& text);
  void announce(Job& job);
  void make_room();
  std::size_t bytes_held() const;

  std::map<std::string, LongCall> calls_;
  JobLimits limits_;
  Listener listener_;
  mutable std::mutex mutex_;
  std::condition_variable_any wake_;
  std::map<std::string, JobPointer> jobs_;
  std::deque<JobPointer> queue_;
  long started_ = 0;  // so many jobs so far
  std::jthread worker_;
};

}  // namespace painleve::studio
