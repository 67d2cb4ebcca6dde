#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "CJobControl.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

// An `#if` must be able to expand it even behind `defined(__GLIBC__) &&`.
#ifndef __GLIBC_PREREQ
#define __GLIBC_PREREQ(major, minor) 0
#endif

static int close_and_fail(int descriptor, int error) {
  close(descriptor);
  errno = error;
  return -1;
}

int job_control_open_pseudo_terminal(char *slave_path, size_t size) {
#ifdef __linux__
  int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
#else
  int master = posix_openpt(O_RDWR | O_NOCTTY);
#endif
  if (master < 0) return -1;
  if (grantpt(master) != 0 || unlockpt(master) != 0) return close_and_fail(master, errno);
#ifdef __linux__
  int error = ptsname_r(master, slave_path, size);
  if (error != 0) return close_and_fail(master, error);
#else
  const char *name = ptsname(master);
  if (name == NULL) return close_and_fail(master, errno);
  if (strlcpy(slave_path, name, size) >= size) return close_and_fail(master, ERANGE);
  if (fcntl(master, F_SETFD, FD_CLOEXEC) != 0) return close_and_fail(master, errno);
#endif
  // Linux sends a key's signal before it discards output, and so may discard what the signal caused.
  struct termios settings;
  if (tcgetattr(master, &settings) != 0) return close_and_fail(master, errno);
  settings.c_lflag |= NOFLSH;
  if (tcsetattr(master, TCSANOW, &settings) != 0) return close_and_fail(master, errno);
  return master;
}

int job_control_open_pipe(int ends[2]) {
#ifdef __linux__
  return pipe2(ends, O_CLOEXEC);
#else
  return pipe(ends);
#endif
}

short job_control_setsid_flag(void) { return POSIX_SPAWN_SETSID; }

int job_control_add_foreground(posix_spawn_file_actions_t *actions, int descriptor) {
#if __GLIBC_PREREQ(2, 35)
  return posix_spawn_file_actions_addtcsetpgrp_np(actions, descriptor);
#else
  (void)actions;
  (void)descriptor;
  return ENOTSUP;
#endif
}

int job_control_add_closefrom(posix_spawn_file_actions_t *actions, int lowest) {
#if __GLIBC_PREREQ(2, 34)
  return posix_spawn_file_actions_addclosefrom_np(actions, lowest);
#else
  (void)actions;
  (void)lowest;
  return ENOTSUP;
#endif
}

const char *job_control_signal_name(int signal) {
#if __GLIBC_PREREQ(2, 32)
  return sigabbrev_np(signal);
#else
  (void)signal;
  return NULL;
#endif
}
