// Adapter of Siconos' numerics library. It knows no bodies: the step goes to it as a friction-contact problem
//
//   u = W r + q,  r in the Coulomb cone K_mu,  u_n + mu |u_t| and u_t in its dual cone, r orthogonal to it
//
// with components normal first, ours being tangents first, and q = u_free + gap/dt on the normals.
#include <siconos/SiconosConfig.h>
#include <siconos/numerics/FrictionContactProblem.h>
#include <siconos/numerics/Friction_cst.h>
#include <siconos/numerics/NonSmoothDrivers.h>
#include <siconos/numerics/NumericsMatrix.h>
#include <siconos/numerics/SolverOptions.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <memory>

#include "../adapter/serve.hpp"

namespace {

using namespace painleve::adapter;

struct Solver {
  std::string about;
  int plane = 0, space = 0;  // solver ids; 0: none for this dimension
  bool tight = false;        // tolerance 1e-12 and 100000 iterations instead of the library's defaults
};

const std::vector<std::pair<std::string, Solver>>& solvers() {
  static const std::vector<std::pair<std::string, Solver>> list = {
      {"nsgs", {"non-smooth Gauss-Seidel", SICONOS_FRICTION_2D_NSGS, SICONOS_FRICTION_3D_NSGS, false}},
      {"nsgs-tight",
       {"the same, tolerance 1e-12, 100000 sweeps", SICONOS_FRICTION_2D_NSGS, SICONOS_FRICTION_3D_NSGS, true}},
      {"lemke", {"Lemke's lexicographic pivoting, plane only", SICONOS_FRICTION_2D_LEMKE, 0, false}},
      {"enum", {"enumeration, the first solution it finds, plane only", SICONOS_FRICTION_2D_ENUM, 0, false}},
      {"cpg", {"conjugate projected gradient, plane only", SICONOS_FRICTION_2D_CPG, 0, false}},
      {"cpg-tight", {"the same, tolerance 1e-12, 100000 iterations, plane only", SICONOS_FRICTION_2D_CPG, 0, true}},
      {"newton", {"non-smooth Newton, Alart-Curnier, space only", 0, SICONOS_FRICTION_3D_NSN_AC, false}},
      {"admm", {"alternating direction method of multipliers, space only", 0, SICONOS_FRICTION_3D_ADMM, false}},
  };
  return list;
}

Description description() {
  Description d{"siconos", PAINLEVE_SICONOS_VERSION, "Coulomb, round cone, contact space; double precision", {}};
  for (const auto& [name, solver] : solvers()) d.settings.push_back({name, solver.about});
  return d;
}

const Solver& solver_of(const std::string& setting) {
  for (const auto& [name, solver] : solvers()) {
    if (name == setting) return solver;
  }
  throw std::runtime_error("no solver " + setting);
}

// Row of the stacked vectors here for a row there, where the normal comes first.
std::size_t own_row(std::size_t row, std::size_t dimension) {
  const std::size_t k = row % dimension;
  return row - k + (k == 0 ? dimension - 1 : k - 1);
}

struct Problem {
  std::vector<double> W, q, mu;  // W in columns
};

Problem problem_of(const Step& step) {
  const auto dimension = static_cast<std::size_t>(step.dimension);
  const std::size_t n = step.space.u_free.size();
  Problem p{std::vector<double>(n * n), std::vector<double>(n), step.space.mu};
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t row = own_row(i, dimension);
    p.q[i] = step.space.u_free[row];
    if (i % dimension == 0) p.q[i] += step.space.gap[i / dimension] / step.dt;
    for (std::size_t j = 0; j < n; ++j) p.W[i + j * n] = step.space.W[row][own_row(j, dimension)];
  }
  return p;
}

// Siconos frees what it is given with free(), so the arrays are made with malloc().
double* copied(const std::vector<double>& values) {
  auto* copy = static_cast<double*>(std::malloc(values.size() * sizeof(double)));
  std::copy(values.begin(), values.end(), copy);
  return copy;
}

using ProblemHandle = std::unique_ptr<FrictionContactProblem, decltype(&frictionContactProblem_free)>;
using OptionsHandle = std::unique_ptr<SolverOptions, decltype(&solver_options_delete)>;

ProblemHandle make_problem(const Step& step) {
  const Problem p = problem_of(step);
  const int n = static_cast<int>(p.q.size());
  NumericsMatrix* M = NM_create_from_data(NM_DENSE, n, n, copied(p.W));
  return {
      frictionContactProblem_new_with_data(step.dimension, static_cast<int>(p.mu.size()), M, copied(p.q), copied(p.mu)),
      &frictionContactProblem_free};
}

Reply solve(const Step& step) {
  const Solver& solver = solver_of(step.setting);
  const int id = step.dimension == 2 ? solver.plane : solver.space;
  if (id == 0)
    return not_represented("this solver is for contacts in " +
                           std::string(step.dimension == 2 ? "space" : "the plane"));
  const ProblemHandle problem = make_problem(step);
  const OptionsHandle options{solver_options_create(id), &solver_options_delete};
  if (solver.tight) {
    options->dparam[SICONOS_DPARAM_TOL] = 1e-12;
    options->iparam[SICONOS_IPARAM_MAX_ITER] = 100000;
  }
  const std::size_t n = step.space.u_free.size();
  std::vector<double> reaction(n, 0.0);
  std::vector<double> velocity(n, 0.0);
  const int info =
      (step.dimension == 2 ? fc2d_driver : fc3d_driver)(problem.get(), reaction.data(), velocity.data(), options.get());
  Reply reply;
  const bool pivots = id == SICONOS_FRICTION_2D_LEMKE || id == SICONOS_FRICTION_2D_ENUM;
  const auto& mu = step.space.mu;
  if (pivots && std::adjacent_find(mu.begin(), mu.end(), std::not_equal_to<>()) != mu.end())
    reply.warnings.emplace_back("Siconos' complementarity form of plane contacts fails when their friction differs");
  if (info != 0) reply.warnings.push_back("the solver ended with info " + std::to_string(info));
  reply.Lambda.emplace(n);
  for (std::size_t i = 0; i < n; ++i)
    (*reply.Lambda)[own_row(i, static_cast<std::size_t>(step.dimension))] = reaction[i];
  reply.iterations = options->iparam[SICONOS_IPARAM_ITER_DONE];
  return reply;
}

}  // namespace

int main() { return serve(description(), solve); }
