// What the analyses say of one scene, each computed when it is first asked for.
#pragma once

#include <optional>
#include <string>

#include "painleve/complementarity/contact_problem.hpp"
#include "painleve/modes/gspot.hpp"
#include "painleve/modes/mode_table.hpp"
#include "painleve/scene/impacting.hpp"
#include "painleve/scene/simulating.hpp"
#include "painleve/scene/solving.hpp"

namespace painleve {

// How the findings that leave a choice are to be made. What it refers to must outlive the findings.
struct FindingOptions {
  const SimulateOptions* simulation = nullptr;  // null: defaults
  const StepOptions* step = nullptr;
};

class SceneFindings {
 public:
  explicit SceneFindings(const Scene& scene, const FindingOptions& options = {}) : scene_(scene), options_(options) {}

  const Scene& scene() const { return scene_; }
  bool drifting() const { return scene_.kind == SceneKind::drifting_contacts; }

  const ModeTable& modes();
  const ImpactRun& impact();  // not for drifting contacts
  const SolveReport& step();  // likewise
  const Run& run();           // throws what simulate() throws

  // The parts of analyze() that a map asks for one by one, with its reasons.
  template <class Value>
  struct Found {
    std::optional<Value> value;
    std::string reason;
  };
  const Found<GSpot>& gspot();
  Found<std::string> two_contact_class() const;
  // Solutions of the acceleration problem, as solve() counts them. Not for drifting contacts.
  Found<double> solutions() const;

 private:
  const Scene& scene_;
  FindingOptions options_;
  std::optional<ModeTable> modes_;
  std::optional<Found<GSpot>> gspot_;
  std::optional<ImpactRun> impact_;
  std::optional<SolveReport> step_;
  std::optional<Run> run_;
};

}  // namespace painleve
