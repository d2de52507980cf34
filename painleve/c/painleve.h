/* The question an engine's solver loop can afford to ask: am I in a paradox, and which solutions exist?
 *
 * Plain C for one and two planar contacts. Nothing here allocates, throws, prints, keeps state or reads the
 * environment; equal input gives equal output, from any number of threads.
 *
 *   a = W lambda + b        contact acceleration for the contact force lambda
 *   0 <= lambda_n, a_n      and one of them zero;  |lambda_t| <= mu lambda_n, friction against slip
 *
 * Contacts are stacked, tangent first: (t1, n1, t2, n2). n points away from the surface. SI units. All structures are
 * filled by the caller or by one call; set inputs to zero first ("painleve_contacts c = {0};") so that members that are
 * not mentioned have their defaults. docs/c.md has the definitions and an example.
 */
#ifndef PAINLEVE_H
#define PAINLEVE_H

#include <stdint.h>

#if defined(__cplusplus)
extern "C" {
#endif

/* ABI: enumerators have fixed values, integers are int32_t, structures have fixed sizes and no padding that varies
 * between compilers. PAINLEVE_ABI grows when any of this changes; painleve_abi() is that of the library at run time. */
#define PAINLEVE_ABI 1
#define PAINLEVE_C_VERSION "0.1.0"
#define PAINLEVE_MOST_CONTACTS 2
#define PAINLEVE_MOST_SOLUTIONS 36 /* words of two bilateral contacts at rest; 16 of unilateral ones */
#define PAINLEVE_WORD_SIZE 8       /* "S+S-" with its end, and some to spare */

typedef enum painleve_error {
  PAINLEVE_OK = 0,
  PAINLEVE_NULL_POINTER = 1,
  PAINLEVE_BAD_COUNT = 2,        /* count is neither 1 nor 2 */
  PAINLEVE_NOT_FINITE = 3,       /* a number is NaN, infinite or beyond 1e100 */
  PAINLEVE_NEGATIVE_MU = 4,      /* mu < 0 */
  PAINLEVE_NOT_SYMMETRIC = 5,    /* W[i][j] and W[j][i] differ by more than 1e-9 of the largest entry */
  PAINLEVE_INDEFINITE = 6,       /* W has an eigenvalue below -1e-9 of its largest entry */
  PAINLEVE_TOO_SMALL = 7,        /* an entry on the diagonal of W is below 1e-100, and not zero */
  PAINLEVE_BAD_TOLERANCE = 8,    /* a tolerance is negative */
  PAINLEVE_BAD_DT = 9,           /* dt is not between 1e-12 and 1e6 s */
  PAINLEVE_BAD_FORMULATION = 10, /* not one of painleve_formulation */
  PAINLEVE_LARGE_MU = 11         /* mu > 1e9: a normal force that holds the contact would be lost in rounding */
} painleve_error;

/* What one contact does in a solution. */
typedef enum painleve_letter {
  PAINLEVE_ABSENT = 0, /* takes no part: open, or there is no such contact */
  PAINLEVE_F = 1,      /* free: lambda = 0, a_n >= 0 */
  PAINLEVE_T = 2,      /* sticks */
  PAINLEVE_S_PLUS = 4, /* slips along +t */
  PAINLEVE_S_MINUS = 8 /* slips along -t */
} painleve_letter;

/* How many motions there are. */
typedef enum painleve_verdict {
  PAINLEVE_UNIQUE = 1,        /* one ("one" of a time step) */
  PAINLEVE_INCONSISTENT = 2,  /* none */
  PAINLEVE_INDETERMINATE = 3, /* several */
  PAINLEVE_IMPACT = 4         /* a closed contact approaches its surface: the impact comes first */
} painleve_verdict;

typedef enum painleve_touch {
  PAINLEVE_OPEN = 0,
  PAINLEVE_APPROACHING = 1,
  PAINLEVE_SEPARATING = 2,
  PAINLEVE_SLIPPING = 3,
  PAINLEVE_RESTING = 4
} painleve_touch;

typedef enum painleve_formulation {
  PAINLEVE_ACCELERATION = 0, /* forces and accelerations of the closed contacts */
  PAINLEVE_IMPULSE = 1,      /* impulses that leave the closed contacts with u_n >= 0 */
  PAINLEVE_STEP = 2          /* impulses of a time step dt: u + dt (b - drift) + W Lambda, gaps included */
} painleve_formulation;

/* Numbers of a contact that may not exist. */
typedef enum painleve_known {
  PAINLEVE_HAS_P = 1,          /* it slips */
  PAINLEVE_HAS_MU_CRIT = 2,    /* W_tt > 0 */
  PAINLEVE_HAS_MU_JAM = 4,     /* tangent and normal are coupled */
  PAINLEVE_HAS_MU_JAM_HELD = 8 /* likewise, with the other contact held */
} painleve_known;

/* A state in contact space. Only the first 2 count rows and columns are read. */
typedef struct painleve_contacts {
  int32_t count;        /* 1 or 2 */
  int32_t bilateral[2]; /* not 0: cannot lift, lambda_n of either sign */
  int32_t reserved;     /* 0 */
  double W[4][4];       /* [1/kg] */
  double b[4];          /* [m/s^2] acceleration without contact forces */
  double drift[4];      /* [m/s^2] the part of b that a time step leaves out; 0 */
  double u[4];          /* [m/s] contact velocity */
  double gap[2];        /* [m] */
  double mu[2];
  double tolerance_gap;      /* [m] closed when gap <= this; 0 takes numbers at face value */
  double tolerance_velocity; /* [m/s] at rest when |u_t| <= this, approaching when u_n < -this; likewise */
} painleve_contacts;

/* The problem of a solver loop: which impulses Lambda give u = W Lambda + u_free that obeys the contact law? */
typedef struct painleve_step_problem {
  int32_t count;
  int32_t bilateral[2];
  int32_t reserved;
  double W[4][4];   /* [1/kg] */
  double u_free[4]; /* [m/s] velocity at the end of the step without contact impulses (with gap/dt where open) */
  double mu[2];
} painleve_step_problem;

typedef struct painleve_solution {
  int32_t letter[2];               /* painleve_letter of each contact */
  int32_t boundary;                /* not 0: a contact neither carries force nor lifts */
  int32_t force_family_dimension;  /* 0: isolated; otherwise `force` is a point inside a family of solutions */
  int32_t motion_family_dimension; /* of these, how many change the motion */
  int32_t reserved;
  double force[4];  /* lambda [N] or Lambda [N s] */
  double motion[4]; /* acceleration [m/s^2] or velocity after [m/s] */
  double residual;  /* certificate: largest violation of the laws, relative to the forces; see painleve_residual() */
} painleve_solution;

typedef struct painleve_solutions {
  int32_t verdict;                                         /* painleve_verdict */
  int32_t count;                                           /* of solutions */
  int32_t complete;                                        /* 1: none is missing */
  int32_t force_family_dimension, motion_family_dimension; /* largest of the solutions */
  int32_t reserved;
  painleve_solution solution[PAINLEVE_MOST_SOLUTIONS];
} painleve_solutions;

typedef struct painleve_contact_report {
  int32_t touch;          /* painleve_touch */
  int32_t known;          /* painleve_known bits: which of p ... mu_jam_held exist; the others are 0 */
  double p;               /* [1/kg] Painleve parameter of the present slip: W_nn - mu W_tn sign(u_t) */
  double p_plus, p_minus; /* [1/kg] for slip along +t and -t */
  double k_plus, k_minus; /* [1/kg] mu W_tt -+ W_tn */
  double mu_crit, mu_jam; /* the other contact free */
  double mu_jam_held;     /* the other contact held, if it is closed */
} painleve_contact_report;

typedef struct painleve_analysis {
  painleve_contact_report contact[2];
  int32_t jam; /* not 0: a closed contact slips with p <= 0 */
  int32_t reserved;
  painleve_solutions modes; /* the consistent modes and the verdict */
} painleve_analysis;

/* All consistent modes of a state, as `painleve analyze`. Returns a painleve_error; the answer is set only on success.
 */
int32_t painleve_analyze(const painleve_contacts* contacts, painleve_analysis* answer);

/* All solutions of one formulation, as `painleve solve`, the least force first. dt [s] is read for PAINLEVE_STEP. */
int32_t painleve_solve(const painleve_contacts* contacts, int32_t formulation, double dt, painleve_solutions* answer);

/* All solutions of a solver's own step, the least impulse first. */
int32_t painleve_solve_step(const painleve_step_problem* problem, painleve_solutions* answer);

/* How far an impulse of the caller's own is from solving the problem, 0 for exact; negative: a painleve_error, negated.
 * Largest violation of Lambda_n = max(0, Lambda_n - u_n) and of friction, in units of each contact, relative to the
 * impulse or the load. Knows nothing of how the solutions above are found. */
double painleve_residual(const painleve_step_problem* problem, const double Lambda[4]);

/* "F", "S+T", ... of the contacts that take part; returns `word`. */
char* painleve_word(const painleve_solution* solution, char word[PAINLEVE_WORD_SIZE]);

/* One sentence without full stop; never NULL. */
const char* painleve_error_text(int32_t error);
const char* painleve_verdict_text(int32_t verdict);

const char* painleve_version(void);
int32_t painleve_abi(void);

#if defined(__cplusplus)
}
#endif

#endif /* PAINLEVE_H */
