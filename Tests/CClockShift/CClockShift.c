#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "CClockShift.h"

#include <sys/timex.h>
#include <time.h>

int shift_wall_clock(long long nanoseconds) {
  struct timex change = {0};
  change.modes = ADJ_SETOFFSET | ADJ_NANO;
  long long rest = nanoseconds % 1000000000;
  // The part below a second must not be negative.
  if (rest < 0) {
    rest += 1000000000;
  }
  change.time.tv_sec = (time_t)((nanoseconds - rest) / 1000000000);
  change.time.tv_usec = (suseconds_t)rest;
  return clock_adjtime(CLOCK_REALTIME, &change) < 0 ? -1 : 0;
}
