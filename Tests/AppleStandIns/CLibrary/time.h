#pragma once

#include <c_types.h>

// There is no CLOCK_BOOTTIME.
typedef enum {
  _CLOCK_REALTIME = 0,
#define CLOCK_REALTIME _CLOCK_REALTIME
  _CLOCK_MONOTONIC = 6,
#define CLOCK_MONOTONIC _CLOCK_MONOTONIC
  _CLOCK_MONOTONIC_RAW = 4,
#define CLOCK_MONOTONIC_RAW _CLOCK_MONOTONIC_RAW
  _CLOCK_UPTIME_RAW = 8,
#define CLOCK_UPTIME_RAW _CLOCK_UPTIME_RAW
} clockid_t;

int clock_gettime(clockid_t, struct timespec *);
