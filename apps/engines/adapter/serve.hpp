// The main function of an adapter: reads the request from stdin, answers a description or calls the adapter's step
// function, writes the reply.
//
//   int main() { return painleve::adapter::serve(description(), step); }
#pragma once

#include <unistd.h>

#include <cstdio>
#include <exception>
#include <functional>
#include <iostream>
#include <iterator>
#include <string>

#include "protocol.hpp"

namespace painleve::adapter {

using StepFunction = std::function<Reply(const Step&)>;

// The reply owns stdout. What an engine prints there (several do) goes to stderr instead, from this object's birth on.
class ReplyStream {
 public:
  ReplyStream() : descriptor_(dup(STDOUT_FILENO)) {
    std::fflush(stdout);
    dup2(STDERR_FILENO, STDOUT_FILENO);
  }
  ReplyStream(const ReplyStream&) = delete;
  ReplyStream& operator=(const ReplyStream&) = delete;
  ~ReplyStream() { close(descriptor_); }

  bool write(const std::string& text) const {
    std::size_t done = 0;
    while (done < text.size()) {
      const ssize_t n = ::write(descriptor_, text.data() + done, text.size() - done);
      if (n <= 0) return false;
      done += static_cast<std::size_t>(n);
    }
    return true;
  }

 private:
  int descriptor_;
};

inline void check_setting(const Description& description, const std::string& name) {
  std::string known;
  for (const auto& setting : description.settings) {
    if (setting.name == name) return;
    known += (known.empty() ? "" : ", ") + setting.name;
  }
  throw std::runtime_error("no setting \"" + name + "\"; known are " + known);
}

inline Json answer(const Description& description, const StepFunction& step, const Json& request) {
  if (request.at("schema") != 1) throw std::runtime_error("this adapter speaks schema 1");
  const std::string kind = request.at("request");
  if (kind == "describe") return to_json_object(description);
  if (kind != "step") throw std::runtime_error("no request \"" + kind + "\"; known are describe, step");
  const auto given = request.get<Step>();
  check_setting(description, given.setting);
  return to_json_object(step(given), description.engine, given.setting);
}

// 0: answered; 2: a bad request, or the engine threw: one line on stderr.
inline int serve(const Description& description, const StepFunction& step) {
  const ReplyStream out;
  try {
    const std::string text(std::istreambuf_iterator<char>(std::cin), {});
    // A number that is not finite is written as null, which the caller reports as such.
    return out.write(answer(description, step, Json::parse(text)).dump() + "\n") ? 0 : 2;
  } catch (const std::exception& error) {
    std::cerr << "painleve-engine-" << description.engine << ": " << error.what() << '\n';
    return 2;
  }
}

}  // namespace painleve::adapter
