// What `check` says: for people, and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "painleve/study/workspace_check.hpp"

namespace painleve::cli {

struct CheckResult {
  std::string scene;
  WorkspaceProblem problem;
  WorkspaceReport report;
  std::optional<double> margin;  // that was asked for
  std::vector<std::string> files;

  double mu() const { return problem.scene.laws[static_cast<std::size_t>(problem.contact)].mu; }
  // Critical friction by mu; none where nothing jams, or without friction.
  std::optional<double> found_margin() const;
  bool below_margin() const;
};

std::string check_text(const CheckResult& result);
nlohmann::ordered_json check_json(const CheckResult& result);

}  // namespace painleve::cli
