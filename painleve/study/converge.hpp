// How compliant and time-stepping answers approach the rigid ones.
//
// A series is one regularisation (springs of growing stiffness K, h = 1/K) or one solution of a time-stepping scheme
// (steps of falling dt, h = dt), run once per value. From its rows come the observed orders, the limit h → 0 of every
// quantity by extrapolation with an estimate of its error (extrapolation.hpp), and which of the rigid futures, followed
// event by event with every branch, that limit is. An impact ends as the springs have it and not as the scene says: a
// limit that is a rigid future with another restitution is named with that restitution.
//
// Verdict, after Question 3 of Champneys & Várkonyi (2016), "uniformly resolvable": all regularisations tested have the
// same limit, to three times the estimated errors. That is evidence from those tested, not a proof for all.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "painleve/scene/simulating.hpp"
#include "painleve/study/extrapolation.hpp"
#include "painleve/study/regularisation.hpp"

namespace painleve {

struct ConvergeProblem {
  Scene scene;
  std::vector<double> stiffness, dt;            // in any order; one of them may be empty
  std::vector<Regularisation> regularisations;  // for stiffness; empty: the standard ones
  std::vector<StepScheme> schemes;              // for dt; empty: both
  double theta = 0.5;                           // of moreau-jean
  SimulationOptions simulation;                 // t_end, tolerance; policy of the time steps (all: every solution)
};

// n values from a to b, both included, at equal ratios; a > b is allowed. Throws InputError unless a, b > 0, a ≠ b, n
// > 1.
std::vector<double> logarithmic_range(double a, double b, int n);

struct StudiedQuantity {
  std::string name;   // "impulse_n.tip", "q.theta", "v.theta", "gap.c1", "u_n.c1", "t", "energy", "Lambda_n.tip"
  std::string group;  // quantities of a group share a scale: "impulse", "q", "v", "gap", "u", "t", "energy", "Lambda"
  // Enters the comparison of limits. Not Lambda, of the first impact: springs have none; and not the impulses of
  // contacts that share their load (W singular): rigid mechanics leaves them open.
  bool compared = true;
};

// Where and how a run ended. Values in the order of ConvergeReport::quantities, NaN where there is none.
struct RunEnding {
  std::string stopped, stop_reason, outcome;
  Eigen::VectorXd values;
  struct Mark {
    double t = 0;
    EventKind kind = EventKind::mode;
    std::string contact;
  };
  std::vector<Mark> events;
  double defect = 0;  // of the energy ledger [J]
  long steps = 0;
};

struct RigidFuture {
  std::string why;       // the choices that lead to it; empty when there is no choice
  bool strikes = false;  // an impact, with or without collision, lies on the way
  RunEnding ending;
};

struct ConvergeRow {
  double value = 0;  // stiffness or dt
  double h = 0;
  RunEnding ending;
};

struct QuantityLimit {
  LimitEstimate estimate;
  std::vector<std::optional<double>> orders;        // from successive differences, of the rows of the tail
  std::optional<double> rigid;                      // value of the future that the limit is
  std::vector<std::optional<double>> rigid_orders;  // from the distance to it
};

struct ConvergeSeries {
  std::string name;
  SimulationMethod method = SimulationMethod::compliant;
  std::optional<Regularisation> regularisation;
  std::optional<StepScheme> scheme;
  std::string branch;                                // of time steps with several solutions: which were taken
  std::vector<ConvergeRow> rows;                     // h falling
  std::size_t tail = 0;                              // from this row on, all rows end alike (stopped, outcome)
  std::vector<std::optional<QuantityLimit>> limits;  // per quantity
  double error = 0;                                  // the largest of the errors of its limits, in units of the scales
  bool decided = false;
  std::string undecided_reason;
  int future = -1;  // index of the rigid future that the limit is; −1: none
  double restitution_error = 0;
  std::optional<double> restitution;  // where the limit is that future with another restitution than the scene's
  std::string future_reason;
};

struct ConvergeWitness {
  int first = -1, second = -1;  // series
  int quantity = -1;            // in which they differ most; −1: in their outcome
};

struct ConvergeReport {
  std::vector<StudiedQuantity> quantities;
  bool by_outcome = false;     // drifting contacts, whose cycles have no limit in numbers: outcome words are compared
  std::vector<double> scales;  // per quantity: the largest number of its group
  std::vector<RigidFuture> futures;  // empty with the reason
  std::string no_futures_reason;
  std::optional<StaticForce> start_force;  // that the settings start=…static are multiples of
  std::vector<ConvergeSeries> series;
  std::string verdict;  // "uniformly resolvable", "uniformly resolvable up to restitution",
                        // "depends on the regularisation", "undecided"
  std::string verdict_reason;
  std::optional<ConvergeWitness> witness;  // where limits differ
  bool uniform_outcome = false;            // all series end with the same outcome word
  std::optional<bool> agrees;              // all limits and the rigid answer are the same; empty: undecided
  std::string agrees_reason, expected;
  bool complete = true;  // false: stopped by `proceed`; the rows done so far are there
};

// Throws InputError for values out of bounds and for what the scene does not have. `proceed` is told the part done and
// stops the study by returning false.
ConvergeReport converge(const ConvergeProblem& problem, const std::function<bool(double)>& proceed = nullptr);

// The object that `painleve converge --json` prints; keys as in docs/interface.md.
nlohmann::ordered_json to_json(const ConvergeProblem& problem, const ConvergeReport& report);

// The rule by which damping and the rest follow the stiffness, in one sentence.
std::string damping_rule(const Scene& scene);

}  // namespace painleve
