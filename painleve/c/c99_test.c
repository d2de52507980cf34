/* painleve.h as a C program meets it: strict C99, no C++ in sight, and a count of everything taken from the heap. The
 * numbers are checked in painleve_test.cpp; here it is the language, the layout of the structures and the heap. */
#include <painleve.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long allocations = 0;

/* Sanitizers bring a heap of their own, which cannot be replaced. */
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define COUNTS_ALLOCATIONS 1
extern void* __libc_malloc(size_t);
extern void* __libc_calloc(size_t, size_t);
extern void* __libc_realloc(void*, size_t);
void* malloc(size_t size) {
  ++allocations;
  return __libc_malloc(size);
}
void* calloc(size_t count, size_t size) {
  ++allocations;
  return __libc_calloc(count, size);
}
void* realloc(void* memory, size_t size) {
  ++allocations;
  return __libc_realloc(memory, size);
}
#else
#define COUNTS_ALLOCATIONS 0
#endif

static int failures = 0;

static void expect(int holds, const char* what) {
  if (holds) return;
  ++failures;
  fprintf(stderr, "failed: %s\n", what);
}

/* A compiled engine and a newer library must mean the same bytes. */
static void check_layout(void) {
  expect(sizeof(painleve_contacts) == 16 + 8 * (16 + 4 + 4 + 4 + 2 + 2 + 2), "size of painleve_contacts");
  expect(sizeof(painleve_step_problem) == 16 + 8 * (16 + 4 + 2), "size of painleve_step_problem");
  expect(sizeof(painleve_solution) == 24 + 8 * 9, "size of painleve_solution");
  expect(sizeof(painleve_solutions) == 24 + 36 * sizeof(painleve_solution), "size of painleve_solutions");
  expect(sizeof(painleve_contact_report) == 8 + 8 * 8, "size of painleve_contact_report");
  expect(sizeof(painleve_analysis) == 2 * sizeof(painleve_contact_report) + 8 + sizeof(painleve_solutions),
         "size of painleve_analysis");
  expect(offsetof(painleve_contacts, W) == 16 && offsetof(painleve_contacts, mu) == 16 + 8 * 30, "painleve_contacts");
  expect(offsetof(painleve_solution, force) == 24, "painleve_solution");
  expect(painleve_abi() == PAINLEVE_ABI, "ABI of header and library");
  expect(strcmp(painleve_version(), PAINLEVE_C_VERSION) == 0, "version of header and library");
}

/* A body on two feet at rest on a slope: every word, one with a family, is tried. */
static painleve_contacts two_feet(double mu) {
  const double J[4][3] = {{1, 0, 1}, {0, 1, 0.1}, {1, 0, 1}, {0, 1, 0.5}}; /* of (x, y, theta), feet 1 below */
  const double inverse_mass[3] = {1, 1, 2};
  const double pull[3] = {1.7, -9.66, 0};
  painleve_contacts c;
  int i, j, k;
  memset(&c, 0, sizeof c);
  c.count = 2;
  c.mu[0] = c.mu[1] = mu;
  for (i = 0; i < 4; ++i) {
    for (k = 0; k < 3; ++k) c.b[i] += J[i][k] * pull[k];
    for (j = 0; j < 4; ++j)
      for (k = 0; k < 3; ++k) c.W[i][j] += J[i][k] * inverse_mass[k] * J[j][k];
  }
  return c;
}

static void check_heap(void) {
  static painleve_analysis analysis;
  static painleve_solutions solutions;
  long before;
  int formulation, k, found = 0, families = 0;
  void* volatile counted = malloc(8); /* volatile: or the pair would be optimised away */
  expect(!COUNTS_ALLOCATIONS || allocations > 0, "the counter counts");
  free(counted);
  before = allocations;
  for (k = 0; k < 200; ++k) {
    const painleve_contacts c = two_feet(0.02 * k);
    expect(painleve_analyze(&c, &analysis) == PAINLEVE_OK, "analyze");
    families += analysis.modes.force_family_dimension > 0;
    for (formulation = PAINLEVE_ACCELERATION; formulation <= PAINLEVE_STEP; ++formulation) {
      expect(painleve_solve(&c, formulation, 0.01, &solutions) == PAINLEVE_OK, "solve");
      found += solutions.count;
    }
  }
  expect(allocations == before, "nothing is taken from the heap");
  expect(found > 0 && families > 0, "there is something to find");
}

/* Equal input, equal bytes. */
static void check_determinism(void) {
  static painleve_analysis a, b;
  const painleve_contacts c = two_feet(0.7);
  memset(&a, 0, sizeof a);
  memset(&b, 0xff, sizeof b);
  expect(painleve_analyze(&c, &a) == PAINLEVE_OK && painleve_analyze(&c, &b) == PAINLEVE_OK, "analyze twice");
  expect(memcmp(&a, &b, sizeof a) == 0, "the same bytes, whatever the answer held before");
}

int main(void) {
  check_layout();
  check_heap();
  check_determinism();
  printf("%d checks of painleve.h failed\n", failures);
  return failures == 0 ? 0 : 1;
}
