/* Compiled outside the project, against the installed <painleve.h> and painleve::c only. */
#include <painleve.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  static painleve_analysis a;
  painleve_contacts c;
  int32_t error;
  memset(&c, 0, sizeof c);
  c.count = 1;
  c.mu[0] = 1.5;
  c.W[0][0] = 3.25; /* the rod at 60 degrees */
  c.W[0][1] = c.W[1][0] = 1.299038105676658;
  c.W[1][1] = 1.75;
  c.b[1] = -9.81;
  c.u[0] = 1;
  error = painleve_analyze(&c, &a);
  if (error != PAINLEVE_OK) {
    puts(painleve_error_text(error));
    return 1;
  }
  printf("in C: %s, mu_jam %.4f\n", painleve_verdict_text(a.modes.verdict), a.contact[0].mu_jam);
  return a.modes.verdict == PAINLEVE_INCONSISTENT ? 0 : 1;
}
