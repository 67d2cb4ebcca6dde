#define _GNU_SOURCE
#include "CLifecycleShims.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifdef __APPLE__
#define CONTINUOUS_CLOCK CLOCK_MONOTONIC_RAW
#define SUSPENDING_CLOCK CLOCK_UPTIME_RAW
#else
#define CONTINUOUS_CLOCK CLOCK_BOOTTIME
#define SUSPENDING_CLOCK CLOCK_MONOTONIC
#endif

// A writer counts itself in before it looks at `writing_end`, so a writer that has seen the
// descriptor is waited for before the descriptor is closed.
static _Atomic int writing_end = -1;
static _Atomic int writers = 0;

static int64_t nanoseconds(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

void lifecycle_read_clocks(struct lifecycle_record *record) {
  record->continuous = nanoseconds(CONTINUOUS_CLOCK);
  record->suspending = nanoseconds(SUSPENDING_CLOCK);
  record->wall = nanoseconds(CLOCK_REALTIME);
}

bool lifecycle_pipe_write(int signo, int code, int sender) {
  struct lifecycle_record record = {.signo = signo, .pid = getpid(), .code = code, .sender = sender};
  lifecycle_read_clocks(&record);
  bool written = false;
  atomic_fetch_add(&writers, 1);
  int end = atomic_load(&writing_end);
  // At most PIPE_BUF bytes: written whole or not at all.
  if (end >= 0) written = write(end, &record, sizeof record) == sizeof record;
  atomic_fetch_sub(&writers, 1);
  return written;
}

static void record_signal(int signo, siginfo_t *info, void *context) {
  (void)context;
  int saved = errno;
  lifecycle_pipe_write(signo, info->si_code, info->si_pid);
  errno = saved;
}

int lifecycle_pipe_open(void) {
  int ends[2];
#ifdef __APPLE__
  if (pipe(ends) != 0) return -1;
  for (int i = 0; i < 2; i++) {
    fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    fcntl(ends[i], F_SETFL, O_NONBLOCK);
  }
#else
  if (pipe2(ends, O_NONBLOCK | O_CLOEXEC) != 0) return -1;
#endif
  atomic_store(&writing_end, ends[1]);
  return ends[0];
}

void lifecycle_pipe_detach(void) {
  int end = atomic_exchange(&writing_end, -1);
  while (atomic_load(&writers) > 0) sched_yield();
  if (end >= 0) close(end);
}

void lifecycle_pipe_close(int reader) { close(reader); }

static void ignore_signal(int signo, siginfo_t *info, void *context) {
  (void)signo, (void)info, (void)context;
}

int lifecycle_install(int signo, bool records) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = records ? record_signal : ignore_signal;
  action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
  sigfillset(&action.sa_mask);
  return sigaction(signo, &action, NULL);
}

uintptr_t lifecycle_handler(const struct sigaction *action) { return (uintptr_t)action->sa_handler; }

uintptr_t lifecycle_handler_number(bool records) {
  return (uintptr_t)(records ? record_signal : ignore_signal);
}

void lifecycle_discard_pending(int signo) {
  sigset_t set, pending;
  sigemptyset(&set);
  sigaddset(&set, signo);
#ifdef __APPLE__
  int taken;
  if (sigpending(&pending) == 0 && sigismember(&pending, signo)) sigwait(&set, &taken);
#else
  (void)pending;
  struct timespec none = {0, 0};
  while (sigtimedwait(&set, NULL, &none) < 0 && errno == EINTR) {}
#endif
}

void lifecycle_name_thread(const char *name) {
#ifdef __APPLE__
  pthread_setname_np(name);
#else
  pthread_setname_np(pthread_self(), name);
#endif
}
