#include "fake_terminal.hpp"

#include <atomic>
#include <nlohmann/json.hpp>

#include "apps/cli/terminal.hpp"

namespace painleve {
namespace {

constexpr int patience = 200;  // questions until Ctrl-C

std::string output;
std::atomic<int> questions = 0;

}  // namespace

namespace fuzz {

void begin_session() {
  output.clear();
  questions = 0;
}

const std::string& printed() { return output; }

}  // namespace fuzz

namespace cli {

std::string styled(const std::string& text, Style) { return text; }
void print(const std::string& text) { output += text; }
void print_json(const nlohmann::ordered_json& json, bool pretty) {
  print(json.dump(pretty ? 1 : -1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
}
Progress::Progress(std::string what, bool quiet) : what_(std::move(what)), wanted_(!quiet) {}
Progress::~Progress() = default;
bool Progress::update(double) { return !interrupted(); }
void interrupts_stop() {}
bool interrupted() { return ++questions > patience; }
int interrupted_code() { return 130; }

}  // namespace cli
}  // namespace painleve
