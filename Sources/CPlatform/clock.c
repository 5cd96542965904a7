#include "CClock.h"
#include <string.h>
#include <sys/timex.h>

int CClock_state(long *maximum_error) {
  struct timex state;
  memset(&state, 0, sizeof state);
  if (adjtimex(&state) < 0) return -1;
  *maximum_error = state.maxerror;
  return (state.status & STA_UNSYNC) == 0;
}
