#include "jobs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <new>
#include <utility>
#include <vector>

#ifdef __linux__
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include "painleve/base/error.hpp"
#include "painleve/base/fingerprint.hpp"
#include "painleve/base/names.hpp"

namespace painleve::studio {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds announce_every{100};  // progress; changes are told at once

// Threads that are started from here on by this one inherit it.
void lower_priority() {
#ifdef __linux__
  constexpr int nice = 10;
  // Refused or not, the work is the same.
  static_cast<void>(setpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)), nice));
#endif
}

// 300.0 becomes 300. The sign of zero stays: it can be a direction of slip.
void write_whole_numbers_as_such(nlohmann::json& j) {
  if (j.is_structured()) {
    for (auto& member : j) write_whole_numbers_as_such(member);
  } else if (j.is_number_float()) {
    constexpr double exact_integers = 9007199254740992.0;  // 2^53
    const double x = j.get<double>();
    if (std::abs(x) < exact_integers && x == std::trunc(x) && !(x == 0 && std::signbit(x)))
      j = static_cast<std::int64_t>(x);
  }
}

// The same request in one way: keys sorted, which this type of JSON does by itself.
std::string canonical(const Json& request) {
  nlohmann::json sorted = request;
  write_whole_numbers_as_such(sorted);
  return sorted.dump();
}

void check_kind(const Json& request, const std::map<std::string, LongCall>& calls) {
  std::vector<std::string> kinds;
  for (const auto& call : calls) kinds.push_back(call.first);
  const auto kind = request.find("kind");
  if (kind == request.end() || !kind->is_string())
    throw InputError(fmt::format("a job needs a kind: {}", fmt::join(kinds, ", ")));
  const auto name = kind->get<std::string>();
  if (!calls.contains(name)) throw InputError(unknown_name("kind of job", name, kinds));
}

// The sentence for whatever a job ended with; empty where it came to its end.
std::string failure_of(const std::function<void()>& job) {
  try {
    job();
    return "";
  } catch (const std::bad_alloc&) {
    return "not enough memory";
  } catch (const std::exception& error) {
    const std::string what = error.what();
    return what.empty() ? "the job failed" : what;
  } catch (...) {
    return "the job failed";
  }
}

}  // namespace

const char* to_string(JobStatus status) {
  switch (status) {
    case JobStatus::waiting:
      return "waiting";
    case JobStatus::running:
      return "running";
    case JobStatus::done:
      return "done";
    case JobStatus::failed:
      return "failed";
    case JobStatus::cancelled:
      return "cancelled";
  }
  return "";
}

struct Jobs::Job {
  std::string id, kind;
  std::string text;  // the request in its canonical form
  Json request;      // until it is finished
  long number = 0;   // in the order of starts
  JobStatus status = JobStatus::waiting;
  std::atomic<bool> stop = false;
  bool replaced = false;  // cancelled, but the same request was started again: nobody asks for this one any more
  double progress = 0;
  int stage = 0;
  std::shared_ptr<const std::string> result;  // JSON text; whoever reads it does so without the lock
  std::string error;
  Clock::time_point began, announced;

  bool is_over() const { return status != JobStatus::waiting && status != JobStatus::running; }
  std::size_t bytes() const { return text.size() + (result ? result->size() : 0); }
  Json remaining() const {
    const double elapsed = std::chrono::duration<double>(Clock::now() - began).count();
    if (status != JobStatus::running || progress <= 0 || elapsed < 0.2) return nullptr;
    return elapsed * (1 - progress) / progress;
  }
  Json state() const {
    return {{"id", id},
            {"kind", kind},
            {"state", to_string(status)},
            {"progress", progress},
            {"remaining_s", remaining()},
            {"stage", stage},
            {"error", error}};
  }
};

Jobs::Jobs(std::map<std::string, LongCall> calls, JobLimits limits)
    : calls_(std::move(calls)), limits_(limits), worker_([this](const std::stop_token& stop) { work(stop); }) {}

Jobs::~Jobs() {
  worker_.request_stop();
  const std::lock_guard lock(mutex_);
  for (const auto& entry : jobs_) entry.second->stop = true;
  listener_ = nullptr;  // who listened may be gone
}  // and the worker, the last member, is waited for

void Jobs::listen(Listener listener) {
  const std::lock_guard lock(mutex_);
  listener_ = std::move(listener);
}

// ---- from outside

Json Jobs::start(const Json& request) {
  check_kind(request, calls_);
  const std::string text = canonical(request);
  const std::lock_guard lock(mutex_);
  const std::string id = id_of(text);
  const auto found = jobs_.find(id);
  if (found != jobs_.end()) {
    const Job& job = *found->second;
    const bool ends_cancelled = job.status == JobStatus::running && job.stop;
    if (!ends_cancelled && job.status != JobStatus::failed && job.status != JobStatus::cancelled) return job.state();
  }
  if (queue_.size() >= limits_.waiting)
    throw TooManyJobs(fmt::format("{} jobs wait already: cancel one, or try again later", queue_.size()));
  const JobPointer job = enqueue(id, request, text);
  announce(*job);
  wake_.notify_one();
  return job->state();
}

std::string Jobs::result(const std::string& id, int after) const {
  std::string state;
  std::shared_ptr<const std::string> result;
  {
    const std::lock_guard lock(mutex_);
    const Job& job = *known(id);
    state = job.state().dump();
    if (job.stage > after) result = job.result;
  }
  state.pop_back();  // the closing brace: results are large, and are not parsed to be put in
  state += ",\"result\":";
  state += result ? *result : "null";
  state += '}';
  return state;
}

Json Jobs::cancel(const std::string& id) {
  const std::lock_guard lock(mutex_);
  const JobPointer job = known(id);
  if (job->is_over()) return job->state();
  job->stop = true;
  if (job->status == JobStatus::waiting) {
    queue_.erase(std::find(queue_.begin(), queue_.end(), job));
    job->status = JobStatus::cancelled;
    job->request = nullptr;
    announce(*job);
    make_room();
  }
  return job->state();
}

Json Jobs::list() const {
  const std::lock_guard lock(mutex_);
  std::vector<JobPointer> all;
  for (const auto& entry : jobs_) all.push_back(entry.second);
  std::sort(all.begin(), all.end(), [](const JobPointer& a, const JobPointer& b) { return a->number > b->number; });
  Json states = Json::array();
  for (const JobPointer& job : all) states.push_back(job->state());
  return states;
}

std::size_t Jobs::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_held();
}

// ---- from within

// Two requests with one hash are told apart by their text.
std::string Jobs::id_of(const std::string& request) const {
  for (std::uint64_t hash = hash_bytes(request);; ++hash) {
    std::string id = fmt::format("{:016x}", hash);
    const auto found = jobs_.find(id);
    if (found == jobs_.end() || found->second->text == request) return id;
  }
}

const Jobs::JobPointer& Jobs::known(const std::string& id) const {
  const auto found = jobs_.find(id);
  if (found == jobs_.end())
    throw InputError(
        fmt::format("no such job {}: it was never started, or its result had to make room", in_quotes(id)));
  return found->second;
}

// What the same request has published before stays there to be fetched, and stages go on counting, so that a page
// never takes an old result for a new one.
Jobs::JobPointer Jobs::enqueue(const std::string& id, const Json& request, const std::string& text) {
  auto job = std::make_shared<Job>();
  job->id = id;
  job->kind = request["kind"].get<std::string>();
  job->text = text;
  job->request = request;
  job->number = ++started_;
  JobPointer& place = jobs_[id];
  if (place) {
    place->replaced = true;
    job->stage = place->stage;
    job->result = place->result;
  }
  place = job;
  queue_.push_back(job);
  return job;
}

void Jobs::announce(Job& job) {
  job.announced = Clock::now();
  if (listener_ && !job.replaced) listener_(job.state().dump());
}

std::size_t Jobs::bytes_held() const {
  std::size_t sum = 0;
  for (const auto& entry : jobs_) sum += entry.second->bytes();
  return sum;
}

void Jobs::make_room() {
  std::vector<JobPointer> over;
  for (const auto& entry : jobs_)
    if (entry.second->is_over()) over.push_back(entry.second);
  std::sort(over.begin(), over.end(), [](const JobPointer& a, const JobPointer& b) { return a->number < b->number; });
  std::size_t held = bytes_held();
  std::size_t count = over.size();
  for (const JobPointer& job : over) {
    if (held <= limits_.kept_bytes && count <= limits_.kept) return;
    held -= job->bytes();
    --count;
    jobs_.erase(job->id);
  }
}

void Jobs::work(const std::stop_token& stop) {
  lower_priority();
  while (true) {
    JobPointer job;
    {
      std::unique_lock lock(mutex_);
      if (!wake_.wait(lock, stop, [this] { return !queue_.empty(); }) || stop.stop_requested()) return;
      job = queue_.front();
      queue_.pop_front();
      job->status = JobStatus::running;
      job->began = Clock::now();
      announce(*job);
    }
    run(job);
  }
}

void Jobs::run(const JobPointer& job) {
  const std::string error = failure_of([&] { calls_.at(job->kind)(job->request, context(job)); });
  finish(job, error);
}

// Whoever cancelled a job is not told what it stumbled over then, except that its result was too large.
void Jobs::finish(const JobPointer& job, const std::string& error) {
  const std::lock_guard lock(mutex_);
  job->request = nullptr;
  if (!job->error.empty()) {
    job->status = JobStatus::failed;
  } else if (job->stop) {
    job->status = JobStatus::cancelled;
  } else {
    job->error = error;
    job->status = error.empty() ? JobStatus::done : JobStatus::failed;
  }
  if (job->status == JobStatus::done) job->progress = 1;
  announce(*job);
  make_room();
}

JobContext Jobs::context(const JobPointer& job) {
  return {[this, job](const Json& result) { publish(job, result); },
          [this, job](double part) { return proceed(job, part); }};
}

void Jobs::publish(const JobPointer& job, const Json& result) {
  auto text = std::make_shared<const std::string>(result.dump(-1, ' ', false, Json::error_handler_t::replace));
  const std::lock_guard lock(mutex_);
  if (text->size() > limits_.result_bytes) {
    job->stop = true;  // even where the job does not let the exception through
    job->error = fmt::format("the result has {:.3g} MB, allowed are {:.3g}: ask for less",
                             static_cast<double>(text->size()) / 1e6, static_cast<double>(limits_.result_bytes) / 1e6);
    throw InputError(job->error);
  }
  job->result = std::move(text);
  ++job->stage;
  announce(*job);
  make_room();
}

bool Jobs::proceed(const JobPointer& job, double part) {
  if (job->stop) return false;
  const std::lock_guard lock(mutex_);
  if (part > job->progress) job->progress = std::min(part, 1.0);
  if (Clock::now() - job->announced >= announce_every) announce(*job);
  return !job->stop;
}

}  // namespace painleve::studio
