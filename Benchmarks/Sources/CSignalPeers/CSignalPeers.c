#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "CSignalPeers.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

static int record_pipe = -1;
static int wake_up = -1;

int signal_record_write(int pipe, char kind) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  struct signal_record record = {kind, (int64_t)now.tv_sec * 1000000000 + now.tv_nsec};
  return write(pipe, &record, sizeof record) == sizeof record ? 0 : -1;
}

static int set_handler(void (*handler)(int)) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  return sigaction(SIGTSTP, &action, NULL);
}

// Returns when the process goes on.
static void stop(void (*handler)(int)) {
  sigset_t stop_signal, previous;
  sigemptyset(&stop_signal);
  sigaddset(&stop_signal, SIGTSTP);
  set_handler(SIG_DFL);
  pthread_sigmask(SIG_UNBLOCK, &stop_signal, &previous);
  raise(SIGTSTP);
  pthread_sigmask(SIG_SETMASK, &previous, NULL);
  set_handler(handler);
}

static void write_and_stop(int signo) {
  (void)signo;
  int saved = errno;
  signal_record_write(record_pipe, 'r');
  stop(write_and_stop);
  signal_record_write(record_pipe, 'a');
  errno = saved;
}

static void wake_thread(int signo) {
  (void)signo;
  int saved = errno;
  uint64_t one = 1;
  if (write(wake_up, &one, sizeof one) < 0) _exit(74);
  errno = saved;
}

static void *write_and_stop_when_woken(void *unused) {
  (void)unused;
  uint64_t count;
  while (read(wake_up, &count, sizeof count) == sizeof count) {
    signal_record_write(record_pipe, 'r');
    stop(wake_thread);
    signal_record_write(record_pipe, 'a');
  }
  _exit(74);
}

static int run(int pipe, void (*handler)(int)) {
  record_pipe = pipe;
  if (set_handler(handler) != 0 || signal_record_write(pipe, 'a') != 0) return -1;
  while (1) pause();
}

int signal_run_bare_handler(int pipe) { return run(pipe, write_and_stop); }

int signal_run_waking_handler(int pipe) {
  wake_up = eventfd(0, EFD_CLOEXEC);
  if (wake_up < 0) return -1;
  sigset_t all, previous;
  sigfillset(&all);
  // The thread inherits the blocked signals, so the handler runs on the main thread, as elsewhere.
  pthread_sigmask(SIG_SETMASK, &all, &previous);
  pthread_t thread;
  int error = pthread_create(&thread, NULL, write_and_stop_when_woken, NULL);
  pthread_sigmask(SIG_SETMASK, &previous, NULL);
  if (error != 0) {
    errno = error;
    return -1;
  }
  return run(pipe, wake_thread);
}
