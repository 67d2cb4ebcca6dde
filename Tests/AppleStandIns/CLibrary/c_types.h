// Types that several of Darwin's headers declare.
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef int pid_t;
typedef unsigned int uid_t;
typedef unsigned short mode_t;
typedef long ssize_t;
typedef struct _opaque_pthread_t *pthread_t;
typedef uint32_t sigset_t;

struct timespec {
  long tv_sec;
  long tv_nsec;
};
