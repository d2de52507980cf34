#include "painleve/study/converge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "painleve/base/error.hpp"
#include "painleve/base/quantity.hpp"
#include "painleve/study/detail/converge_parts.hpp"

namespace painleve {
namespace {

std::vector<double> in_order(std::vector<double> values, bool falling) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  if (falling) std::reverse(values.begin(), values.end());
  return values;
}

void check(const ConvergeProblem& problem) {
  if (problem.stiffness.empty() && problem.dt.empty())
    throw InputError("converge takes --stiffness FROM:TO:N or --dt FROM:TO:N, or both");
  if (!problem.dt.empty() && problem.scene.kind != SceneKind::mechanism)
    throw InputError(fmt::format("time steps need a mechanism; {} has --stiffness only", problem.scene.mechanism));
  for (const double k : problem.stiffness) {
    if (!(k >= 1e-3 && k <= 1e16))
      throw InputError(fmt::format("stiffness must be between 1e-3 and 1e16 N/m, not {:g}", k));
  }
  for (const double dt : problem.dt) {
    if (!(dt >= 1e-12 && dt <= 1e6)) throw InputError(fmt::format("dt must be between 1e-12 and 1e6 s, not {:g}", dt));
  }
  constexpr double most_steps = 1e8;
  const double start = problem.scene.kind == SceneKind::mechanism ? problem.scene.posed.state.t : 0;
  for (const double dt : problem.dt) {
    if (dt > problem.simulation.t_end - start)
      throw InputError(
          fmt::format("dt = {:g} s is longer than the whole motion, to t_end = {:g} s", dt, problem.simulation.t_end));
    if ((problem.simulation.t_end - start) / dt > most_steps)
      throw InputError(fmt::format("dt = {:g} s would take more than 1e8 steps to t_end", dt));
  }
}

// Counts runs, passes their progress on, and remembers that someone said stop.
class Desk {
 public:
  Desk(std::size_t runs, const std::function<bool(double)>& proceed) : runs_(runs), proceed_(proceed) {}

  SimulationOptions options(SimulationOptions o) {
    o.samples = 1;
    const double all = static_cast<double>(runs_), done = static_cast<double>(done_);
    o.progress = [this, all, done](const Progress& p) {
      if (proceed_ && !proceed_((done + (p.t_end > 0 ? std::clamp(p.t / p.t_end, 0.0, 1.0) : 0)) / all))
        stopped_ = true;
      return !stopped_;
    };
    return o;
  }
  bool next() {
    ++done_;
    if (proceed_ && !proceed_(static_cast<double>(done_) / static_cast<double>(runs_))) stopped_ = true;
    return !stopped_;
  }
  bool stopped() const { return stopped_; }

 private:
  std::size_t runs_, done_ = 0;
  bool stopped_ = false;
  const std::function<bool(double)>& proceed_;
};

void run_springs(const ConvergeProblem& problem, Desk& desk, ConvergeReport& report) {
  const auto regularisations =
      problem.regularisations.empty() ? standard_regularisations(problem.scene) : problem.regularisations;
  for (const Regularisation& r : regularisations) {
    ConvergeSeries series;
    series.name = r.name();
    series.regularisation = r;
    for (const double k : in_order(problem.stiffness, false)) {
      const RegularisedScene scene = regularised(problem.scene, r, k);
      SimulateOptions o;
      o.method = SimulationMethod::compliant;
      o.simulation = desk.options(problem.simulation);
      o.compliant = scene.options;
      auto ends = detail::leaves(simulate(scene.scene, o), scene.scene);
      if (desk.stopped()) break;
      series.rows.push_back({k, 1 / k, std::move(ends.front().ending)});
      if (!desk.next()) break;
    }
    if (!series.rows.empty()) report.series.push_back(std::move(series));
    if (desk.stopped()) return;
  }
}

ConvergeSeries& series_of(ConvergeReport& report, StepScheme scheme, const std::string& branch) {
  for (ConvergeSeries& s : report.series) {
    if (s.scheme == scheme && s.branch == branch) return s;
  }
  ConvergeSeries s;
  s.method = SimulationMethod::step;
  s.scheme = scheme;
  s.branch = branch;
  s.name = to_string(scheme) + (branch.empty() ? "" : ", " + branch);
  report.series.push_back(std::move(s));
  return report.series.back();
}

// Unless asked for: both, or where contacts rebound the one that knows restitution.
std::vector<StepScheme> schemes_of(const ConvergeProblem& problem) {
  if (!problem.schemes.empty()) return problem.schemes;
  const bool rebounds = std::any_of(problem.scene.laws.begin(), problem.scene.laws.end(),
                                    [](const ContactLaw& law) { return law.restitution > 0; });
  if (rebounds) return {StepScheme::moreau_jean};
  return {StepScheme::moreau_jean, StepScheme::stewart_trinkle};
}

void run_steps(const ConvergeProblem& problem, Desk& desk, ConvergeReport& report) {
  for (const StepScheme scheme : schemes_of(problem)) {
    for (const double dt : in_order(problem.dt, true)) {
      SimulateOptions o;
      o.method = SimulationMethod::step;
      o.simulation = desk.options(problem.simulation);
      o.stepping.dt = dt;
      o.stepping.scheme = scheme;
      o.stepping.theta = problem.theta;
      auto ends = detail::leaves(simulate(problem.scene, o), problem.scene);
      if (desk.stopped()) return;
      for (detail::Leaf& end : ends) series_of(report, scheme, end.why).rows.push_back({dt, dt, std::move(end.ending)});
      if (!desk.next()) return;
    }
  }
}

std::size_t count_runs(const ConvergeProblem& problem) {
  const std::size_t springs =
      problem.regularisations.empty() ? standard_regularisations(problem.scene).size() : problem.regularisations.size();
  return problem.stiffness.size() * springs + problem.dt.size() * schemes_of(problem).size();
}

void find_futures(const ConvergeProblem& problem, ConvergeReport& report) {
  if (problem.scene.kind != SceneKind::mechanism) {
    report.no_futures_reason = fmt::format(
        "{} has no rigid motion to agree with: what is found is compared with itself", problem.scene.mechanism);
    return;
  }
  try {
    report.futures = detail::rigid_futures(problem.scene, problem.simulation, std::nullopt);
  } catch (const InputError& error) {
    report.no_futures_reason = error.what();
  }
}

}  // namespace

std::vector<double> logarithmic_range(double a, double b, int n) {
  if (!(a > 0 && b > 0) || !std::isfinite(a) || !std::isfinite(b) || a == b)
    throw InputError(fmt::format("a logarithmic range has two different positive ends, not {:g} and {:g}", a, b));
  if (n < 2 || n > 1000) throw InputError(fmt::format("a range of converge has 2 to 1000 values, not {}", n));
  std::vector<double> values;
  for (int i = 0; i < n; ++i) {
    const double x = a * std::pow(b / a, static_cast<double>(i) / (n - 1));
    values.push_back(parse_number(fmt::format("{:.12g}", x)));  // decades are decades
  }
  values.front() = a;
  values.back() = b;
  return values;
}

ConvergeReport converge(const ConvergeProblem& problem, const std::function<bool(double)>& proceed) {
  check(problem);
  ConvergeReport report;
  report.quantities = detail::studied_quantities(problem.scene);
  report.by_outcome = problem.scene.kind == SceneKind::drifting_contacts;
  report.start_force = static_force(problem.scene);
  find_futures(problem, report);
  Desk desk(count_runs(problem), proceed);
  if (!problem.stiffness.empty()) run_springs(problem, desk, report);
  if (!problem.dt.empty() && !desk.stopped()) run_steps(problem, desk, report);
  report.complete = !desk.stopped();
  detail::take_limits(problem.simulation, report);
  detail::name_futures(problem, report);
  detail::decide(problem, report);
  return report;
}

std::string damping_rule(const Scene& scene) {
  if (scene.kind == SceneKind::drifting_contacts)
    return "epsilon = 1/sqrt(stiffness), with the scaled k and nu of the scene: the damping ratio is fixed";
  return "damping grows like sqrt(stiffness) for viscoelastic and kelvin-voigt (fixed damping ratio), like stiffness "
         "for "
         "preclik (the authors' rule), and stays for hunt-crossley and hertz (fixed rebound from a given speed)";
}

}  // namespace painleve
