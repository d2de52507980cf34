#include "answers.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "bench_scenes.hpp"
#include "drawn_inputs.hpp"
#include "drawn_problems.hpp"
#include "painleve/base/fingerprint.hpp"
#include "painleve/complementarity/certificate.hpp"
#include "painleve/complementarity/gauss_seidel.hpp"
#include "painleve/complementarity/lemke.hpp"
#include "painleve/complementarity/planar_solutions.hpp"
#include "painleve/complementarity/standard_form.hpp"
#include "painleve/impact/planar_impact.hpp"
#include "painleve/impact/spatial_impact.hpp"
#include "painleve/mechanism/gallery/rod.hpp"
#include "painleve/mechanism/reduction.hpp"
#include "painleve/modes/planar_verdicts.hpp"

namespace painleve {
namespace {

using nlohmann::json;

constexpr double solves = 1e-9;  // of a residual

// Gathers the answers of one row.
class Answer {
 public:
  void add(double x) { hash_.add(x); }
  void add(int x) { hash_.add(x); }
  void add(long x) { hash_.add(x); }
  void add(const std::string& text) { hash_.add(text); }
  void add(const Eigen::VectorXd& v) {
    for (const double x : v) hash_.add(x);
  }
  void work(const std::string& unit, double amount) { work_[unit] += amount; }
  // One problem, with the residual of what was found.
  void problem(double residual) {
    ++problems_;
    if (!(residual <= solves)) return;
    ++solved_;
    worst_ = std::max(worst_, residual);
  }

  json result() const {
    json out = {{"hash", fmt::format("{:016x}", hash_.value())}};
    if (problems_ > 0) {
      out["solved"] = static_cast<double>(solved_) / static_cast<double>(problems_);
      out["residual"] = worst_;
    }
    const double count = problems_ > 0 ? static_cast<double>(problems_) : 1;
    for (const auto& [unit, amount] : work_) out["work"][unit] = amount / count;
    return out;
  }

 private:
  Fingerprint hash_;
  std::map<std::string, double> work_;
  long problems_ = 0, solved_ = 0;
  double worst_ = 0;
};

void add(Answer& a, const PlanarContact& c, const PlanarModes& m) {
  a.add(static_cast<int>(m.consistent));
  double worst = 0;
  const auto force = [&](unsigned mode, const PlanarForce& f) {
    if ((m.consistent & mode) == 0) return;
    for (const double x : {f.lambda_n, f.lambda_t, f.a_n, f.a_t}) a.add(x);
    worst = std::max(worst, planar_residual(c, f));
  };
  force(mode_F, m.free);
  force(mode_T, m.stick);
  force(mode_S_plus, m.slip_plus);
  force(mode_S_minus, m.slip_minus);
  a.problem(worst);
  a.work("modes", m.count());
}

void verdicts(Answer& a, const std::vector<PlanarContact>& contacts) {
  for (const auto& c : contacts) add(a, c, planar_modes(c));
}

void rod_verdicts(Answer& a) {
  const Rod rod;
  const std::array<double, 3> forces{};
  for (const auto& s : drawn_rods()) {
    const PlanarContact c = reduce_planar(rod, s.q.data(), s.v.data(), 0, forces, s.mu);
    add(a, c, planar_modes(c));
  }
}

void steps(Answer& a) {
  for (const auto& c : drawn_steps()) {
    double worst = 0;
    const PlanarSolutions set = planar_solutions(c);
    for (const auto& s : set) {
      for (const double x : {s.r_t, s.r_n, s.w_t, s.w_n}) a.add(x);
      worst = std::max(worst, s.residual);
    }
    a.problem(worst);
    a.work("solutions", set.count);
  }
}

const Eigen::VectorXd& unknowns(const LcpSolution& s) { return s.z; }
const Eigen::VectorXd& unknowns(const ContactSolution& s) { return s.r; }

template <class Problem>
void all(Answer& a, const std::vector<Problem>& problems) {
  for (const auto& p : problems) {
    const auto set = all_solutions(p);
    double worst = set.complete ? 0 : 1;
    for (const auto& s : set.solutions) {
      a.add(unknowns(s));
      a.add(s.w);
      worst = std::max(worst, s.residual);
    }
    a.problem(worst);
    a.work("solutions", static_cast<double>(set.solutions.size()));
    a.work("nodes", static_cast<double>(set.work.nodes));
  }
}

void pivoting(Answer& a, int dimension, int contacts) {
  for (const auto& p : drawn_contact_problems(dimension, contacts)) {
    const LemkeReport report = lemke(standard_form(p, 4).lcp);
    a.add(report.z);
    a.problem(report.residual);
    a.work("pivots", report.pivots);
  }
}

void sweeping(Answer& a, int dimension, int contacts) {
  SweepOptions options;
  options.most_sweeps = 1000;
  options.tolerance = 1e-10;
  for (const auto& p : drawn_contact_problems(dimension, contacts)) {
    const SweepReport report = gauss_seidel(p, options);
    a.add(report.r);
    a.problem(law_residual(p, report.r, p.W * report.r + p.q));
    a.work("sweeps", report.sweeps);
  }
}

void planar_impacts(Answer& a) {
  for (const auto& s : drawn_planar_impacts()) {
    const PlanarImpact i = planar_impact(s.contact, s.u_n, s.law);
    for (const double x : {i.u_t, i.u_n, i.Lambda_t, i.Lambda_n, i.work_n, i.work_t}) a.add(x);
  }
}

void spatial_impacts(Answer& a, const std::vector<Striking<SpatialContact>>& list) {
  for (const auto& s : list) {
    const SpatialImpact i = spatial_impact(s.contact, s.u_n, s.law);
    a.add(i.u_t);
    a.add(i.Lambda_t);
    for (const double x : {i.u_n, i.Lambda_n, i.work_n, i.work_t}) a.add(x);
    a.work("steps", static_cast<double>(i.steps) / static_cast<double>(list.size()));
  }
}

void add(Answer& a, const Run& run) {
  a.add(run.stopped);
  a.add(run.t);
  a.add(run.state.q);
  a.add(run.state.v);
  a.add(run.impulse);
  for (const auto& event : run.events) a.add(event.t);
  a.work("steps", static_cast<double>(run.steps));
  a.work("events", static_cast<double>(run.events.size()));
}

// The same contacts with every instruction set: one hash.
void verdict_bytes(Answer& a, InstructionSet set) {
  std::array<std::vector<double>, 7> columns;
  for (const auto& c : drawn_contacts()) {
    const std::array<double, 7> row = {c.W_tt, c.W_tn, c.W_nn, c.b_t, c.b_n, c.u_t, c.mu};
    for (std::size_t k = 0; k < row.size(); ++k) columns[k].push_back(row[k]);
  }
  std::vector<VerdictByte> bytes(columns[0].size());
  planar_verdicts({columns[0].data(), columns[1].data(), columns[2].data(), columns[3].data(), columns[4].data(),
                   columns[5].data(), columns[6].data()},
                  bytes, set);
  for (const VerdictByte byte : bytes) a.add(static_cast<int>(byte));
}

void map(Answer& a, int threads) {
  MapOptions options;
  options.threads = threads;
  const Map map = compute_map(rod_verdict_map(), options);
  for (const auto& column : map.columns) {
    for (const double x : column.values) a.add(x);
    for (const auto& name : column.names) a.add(name);
  }
  a.work("cells", static_cast<double>(map.cells()));
}

using Rows = std::map<std::string, std::function<void(Answer&)>>;

void kernels(Rows& rows) {
  rows.emplace("contact_to_verdict", [](Answer& a) { verdicts(a, drawn_contacts()); });
  rows.emplace("contact_at_rest", [](Answer& a) { verdicts(a, drawn_resting_contacts()); });
  rows.emplace("rod_to_verdict", rod_verdicts);
  rows.emplace("painleve_step", steps);
  for (const int n : {4, 8, 12, 16, 20})
    rows.emplace(fmt::format("all_slip_modes/{}", n), [n](Answer& a) { all(a, drawn_slips(n)); });
  for (const auto& [n, m] : std::vector<std::pair<int, int>>{{1, 5}, {2, 7}, {4, 11}, {8, 19}, {12, 27}, {12, 3}})
    rows.emplace(fmt::format("all_modes_at_rest/{}/{}", n, m),
                 [contacts = n, freedoms = m](Answer& a) { all(a, drawn_rests(contacts, freedoms)); });
  rows.emplace("planar_impacts", planar_impacts);
  rows.emplace("spatial_impacts", [](Answer& a) { spatial_impacts(a, drawn_spatial_impacts()); });
  rows.emplace("slipping_impacts", [](Answer& a) { spatial_impacts(a, drawn_slipping_impacts()); });
}

void solvers(Rows& rows) {
  for (const int d : {2, 3}) {
    for (const int n : {1, 2, 4, 8, 16, 32, 64}) {
      rows.emplace(fmt::format("pivoting/{}/{}", d, n), [d, n](Answer& a) { pivoting(a, d, n); });
      rows.emplace(fmt::format("sweeping/{}/{}", d, n), [d, n](Answer& a) { sweeping(a, d, n); });
    }
  }
}

void simulators(Rows& rows) {
  rows.emplace("falling_rod", [](Answer& a) { add(a, falling_rod_run(falling_rod_problem())); });
  rows.emplace("sliding_rod", [](Answer& a) { add(a, sliding_rod_run(sliding_rod_problem())); });
  for (const int digits : {8, 10, 12})
    rows.emplace(fmt::format("compliant_rod/{}", digits), [digits](Answer& a) {
      add(a, compliant_rod_run(compliant_rod_problem(8), 1e-4, std::pow(10.0, -digits)));
    });
  for (const int k : {4, 6, 8, 10, 12})
    rows.emplace(fmt::format("stiffness/{}", k),
                 [k](Answer& a) { add(a, compliant_rod_run(compliant_rod_problem(k), 1e-2, 1e-8)); });
}

void maps(Rows& rows) {
  for (const auto& [set, name] : std::vector<std::pair<InstructionSet, std::string>>{
           {InstructionSet::baseline, "sse2"}, {InstructionSet::avx2, "avx2"}, {InstructionSet::avx512, "avx512"}}) {
    if (!available(set)) continue;
    for (const char* kind : {"slip", "rest", "mixed"})
      rows.emplace(fmt::format("contacts_to_verdicts/{}/{}", name, kind),
                   [chosen = set](Answer& a) { verdict_bytes(a, chosen); });
  }
  for (const int threads : {1, 2})
    rows.emplace(fmt::format("study_map/{}", threads), [threads](Answer& a) { map(a, threads); });
}

}  // namespace

json answers(const std::string& part) {
  Rows rows;
  kernels(rows);
  solvers(rows);
  simulators(rows);
  maps(rows);
  json out = json::object();
  for (const auto& [name, gather] : rows) {
    if (name.find(part) == std::string::npos) continue;
    Answer answer;
    gather(answer);
    out[name] = answer.result();
  }
  return out;
}

}  // namespace painleve
