#include "studio.hpp"

#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <limits>
#include <new>
#include <thread>
#include <vector>

#include "access.hpp"
#include "jobs.hpp"
#include "page_files.hpp"
#include "painleve/base/error.hpp"
#include "painleve/base/names.hpp"
#include "request.hpp"

namespace painleve::studio {
namespace {

constexpr std::string_view api = "/api/";

using JobCall = std::string (*)(const Json& request, Jobs& jobs);  // the answer as JSON text

std::string text(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string start_job(const Json& request, Jobs& jobs) {
  check_job(request);
  return text(jobs.start(request));
}

std::string job_result(const Json& request, Jobs& jobs) {
  refuse_others(request, {"id", "after"});
  return jobs.result(word(request, "id"), whole(request, "after", 0, 0, std::numeric_limits<int>::max()));
}

std::string cancel_job(const Json& request, Jobs& jobs) {
  refuse_others(request, {"id"});
  return text(jobs.cancel(word(request, "id")));
}

std::string list_jobs(const Json& request, Jobs& jobs) {
  refuse_others(request, {});
  return text({{"jobs", jobs.list()}});
}

const std::map<std::string, JobCall>& job_calls() {
  static const std::map<std::string, JobCall> calls = {
      {"job", start_job}, {"result", job_result}, {"cancel", cancel_job}, {"jobs", list_jobs}};
  return calls;
}

Reply unknown_call(const std::string& name, const std::map<std::string, QuickCall>& quick) {
  std::vector<std::string> names;
  for (const auto& call : quick) names.push_back(call.first);
  for (const auto& call : job_calls()) names.push_back(call.first);
  return error_reply(404, unknown_name("call", name, names));
}

// Browsers log every status but 200 as an error of the page; for a page whose sliders pass through states that cannot
// be built, a refusal is an answer like others. It says so by "polite": true.
bool take_politeness(Json& request) {
  const bool polite = flag(request, "polite", false);
  request.erase("polite");
  return polite;
}

const StaticFile* page_file(std::string_view path) {
  for (const auto& file : page_files())
    if (file.path == path) return &file;
  return nullptr;
}

// The allocator makes eight pools per core by itself, and what lies scattered over pools is never given back.
void keep_memory_together() {
  mallopt(M_ARENA_MAX, std::max(2, static_cast<int>(std::thread::hardware_concurrency())));
}

}  // namespace

Reply answer(std::string_view path, const std::string& body, const std::map<std::string, QuickCall>& quick,
             Jobs& jobs) {
  bool polite = false;
  try {
    const std::string name(path.substr(api.size()));
    const auto quick_call = quick.find(name);
    const auto job_call = job_calls().find(name);
    if (quick_call == quick.end() && job_call == job_calls().end()) return unknown_call(name, quick);
    Json request = parse_request(body);
    polite = take_politeness(request);
    const bool is_quick = quick_call != quick.end();
    return {200, "application/json", is_quick ? text(quick_call->second(request)) : job_call->second(request, jobs)};
  } catch (const InputError& error) {
    return error_reply(polite ? 200 : 400, error.what());
  } catch (const TooManyJobs& error) {
    return error_reply(429, error.what());
  } catch (const std::bad_alloc&) {
    return error_reply(507, "not enough memory");
  } catch (const std::exception& error) {
    return error_reply(500, error.what());
  }
}

// The server outlives the jobs, which speak to it when they end; no answer is being computed when run() returns.
void serve(const StudioOptions& options, const std::function<void(const Address& address)>& ready) {
  keep_memory_together();
  const auto quick = quick_calls(options.start);
  Jobs* asked = nullptr;
  ServerSetup setup;
  setup.port = options.port;
  setup.token = draw_token();
  setup.limits = options.limits;
  setup.file = page_file;
  setup.answer = [&](std::string_view path, const std::string& body) { return answer(path, body, quick, *asked); };
  const std::string token = setup.token;
  HttpServer server(std::move(setup));
  Jobs jobs(long_calls());
  asked = &jobs;
  jobs.listen([&server](const std::string& state) { server.send("job", state); });
  server.run(true, [&] { ready({fmt::format("http://127.0.0.1:{}/#token={}", server.port(), token), server.port()}); });
}

}  // namespace painleve::studio
