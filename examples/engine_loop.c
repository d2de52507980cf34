/* Question: my engine's solver returned an impulse. Was the step a paradox, and which of its solutions did I get?
 * Run:      build/release/bin/engine_loop
 * Answer:   in case N (no solution of the accelerations) the step has one solution, which sticks, and twenty sweeps of
 *           Gauss-Seidel have not reached it; in case M there are three, and the engine returns the one that lifts; the
 *           control has one, which slides.
 *
 * The rod of Preclik & Ruede (2011): a step of 0.01 s, sliding to the left at 1 m/s. Plain C: the structures are on the
 * stack, nothing is allocated, and the calls may stand in the innermost loop of a solver.
 */
#include <math.h>
#include <painleve.h>
#include <stdio.h>
#include <string.h>

/* A rod of mass 1 and half length 1 at 120 degrees, and its free velocity after a step. */
static painleve_step_problem rod_step(double torque, double mu) {
  const double sine = sqrt(3.0) / 2, cosine = -0.5, dt = 0.01;
  const double turn = 3 * torque; /* angular acceleration: the inertia is 1/3 */
  painleve_step_problem p;
  memset(&p, 0, sizeof p);
  p.count = 1;
  p.mu[0] = mu;
  p.W[0][0] = 1 + 3 * sine * sine;
  p.W[0][1] = p.W[1][0] = 3 * sine * cosine;
  p.W[1][1] = 1 + 3 * cosine * cosine;
  p.u_free[0] = -1 - dt * sine * turn;
  p.u_free[1] = dt * (-1 - cosine * turn);
  return p;
}

/* The engine: projected Gauss-Seidel, as many have it. */
static void engine_solve(const painleve_step_problem* p, int sweeps, double Lambda[4]) {
  int k;
  memset(Lambda, 0, 4 * sizeof *Lambda);
  for (k = 0; k < sweeps; ++k) {
    const double u_n = p->W[1][0] * Lambda[0] + p->W[1][1] * Lambda[1] + p->u_free[1];
    double u_t, limit;
    Lambda[1] = fmax(0, Lambda[1] - u_n / p->W[1][1]);
    u_t = p->W[0][0] * Lambda[0] + p->W[0][1] * Lambda[1] + p->u_free[0];
    limit = p->mu[0] * Lambda[1];
    Lambda[0] = fmax(-limit, fmin(limit, Lambda[0] - u_t / p->W[0][0]));
  }
}

/* The solution that this impulse is, or -1. */
static int which(const painleve_solutions* all, const double Lambda[4]) {
  int k;
  for (k = 0; k < all->count; ++k) {
    const double* force = all->solution[k].force;
    if (fabs(force[0] - Lambda[0]) + fabs(force[1] - Lambda[1]) < 1e-6) return k;
  }
  return -1;
}

static int report(const char* name, double torque, double mu) {
  static painleve_solutions all; /* 3 kB: not for a small stack */
  const painleve_step_problem p = rod_step(torque, mu);
  double Lambda[4];
  char word[PAINLEVE_WORD_SIZE];
  int k, mine;
  const int32_t error = painleve_solve_step(&p, &all);
  if (error != PAINLEVE_OK) {
    fprintf(stderr, "%s: %s\n", name, painleve_error_text(error));
    return 1;
  }
  engine_solve(&p, 20, Lambda);
  mine = which(&all, Lambda);
  printf("%s: %s, %d solutions\n", name, painleve_verdict_text(all.verdict), (int)all.count);
  for (k = 0; k < all.count; ++k) {
    const painleve_solution* s = &all.solution[k];
    printf("  %-2s Lambda_n %.4f Lambda_t %.4f u_n %.4f u_t %.4f%s\n", painleve_word(s, word), s->force[1], s->force[0],
           s->motion[1], s->motion[0], k == mine ? "  <- the engine" : "");
  }
  if (mine < 0)
    printf("  the engine returned (%.4f, %.4f), which is none of them: residual %.1e\n", Lambda[1], Lambda[0],
           painleve_residual(&p, Lambda));
  return 0;
}

int main(void) { return report("case N", 0, 1.5) + report("case M", 5.0 / 3, 1.5) + report("control", 0, 0.3); }
