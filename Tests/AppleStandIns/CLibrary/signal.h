#pragma once

#include <c_types.h>

typedef struct __siginfo {
  int si_signo;
  int si_errno;
  int si_code;
  pid_t si_pid;
} siginfo_t;

struct sigaction {
  union {
    void (*__sa_handler)(int);
    void (*__sa_sigaction)(int, siginfo_t *, void *);
  } __sigaction_u;
  sigset_t sa_mask;
  int sa_flags;
};
#define sa_handler __sigaction_u.__sa_handler
#define sa_sigaction __sigaction_u.__sa_sigaction

#define SIG_DFL ((void (*)(int))0)
#define SIG_IGN ((void (*)(int))1)
#define SIG_BLOCK 1
#define SIG_UNBLOCK 2
#define SIG_SETMASK 3
#define NSIG 32
#define SIGPIPE 13
#define SIGTSTP 18
#define SIGCONT 19
#define SIGSTOP 17
#define SIGTTIN 21
#define SIGTTOU 22

#define SA_ONSTACK 0x0001
#define SA_RESTART 0x0002
#define SA_SIGINFO 0x0040

int kill(pid_t, int);
int pthread_kill(pthread_t, int);
int pthread_sigmask(int, const sigset_t *, sigset_t *);
int sigaction(int, const struct sigaction *restrict, struct sigaction *restrict);
int sigaddset(sigset_t *, int);
int sigemptyset(sigset_t *);
int sigfillset(sigset_t *);
int sigismember(const sigset_t *, int);
int sigpending(sigset_t *);
// There is no sigtimedwait.
int sigwait(const sigset_t *restrict, int *restrict);
