// The studio's API: the name of a call on the first line, its body below. Long work is checked and queued, but not
// done.
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "jobs.hpp"
#include "studio.hpp"
#include "target_list.hpp"

namespace painleve::fuzz {
namespace {

std::map<std::string, studio::LongCall> short_jobs() {
  std::map<std::string, studio::LongCall> calls = studio::long_calls();
  for (auto& call : calls) {
    call.second = [](const studio::Json&, const studio::JobContext& context) { context.publish({{"done", true}}); };
  }
  return calls;
}

bool is_refusal(int status) { return status == 400 || status == 404 || status == 429; }

}  // namespace

void read_studio_call(std::string_view bytes) {
  static const auto quick = studio::quick_calls({"rod", "", studio::Json::object()});
  static studio::Jobs jobs(short_jobs(), {.waiting = 8, .kept = 20});
  const std::size_t end = std::min(bytes.find('\n'), bytes.size());
  const std::string path = "/api/" + std::string(bytes.substr(0, end));
  const std::string body(bytes.substr(std::min(end + 1, bytes.size())));
  const studio::Reply reply = studio::answer(path, body, quick, jobs);
  const nlohmann::json answer = nlohmann::json::parse(reply.body, nullptr, false);
  law(answer.is_object(), "an answer that is no JSON object");
  law(reply.status == 200 || is_refusal(reply.status),
      "status " + std::to_string(reply.status) + ": " + reply.body.substr(0, 300));
  // The state of a job has an error, too, which is empty while it goes well.
  const bool refused = answer.size() == 1 && answer.contains("error");
  law(refused || reply.status == 200, "a refusal without a sentence");
  if (refused) check_sentence(answer["error"].get<std::string>());
}

}  // namespace painleve::fuzz
