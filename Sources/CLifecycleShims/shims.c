#define _GNU_SOURCE
#include "CLifecycleShims.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#endif

#ifdef __APPLE__
#define CONTINUOUS_CLOCK CLOCK_MONOTONIC_RAW
#define SUSPENDING_CLOCK CLOCK_UPTIME_RAW
#else
#define CONTINUOUS_CLOCK CLOCK_BOOTTIME
#define SUSPENDING_CLOCK CLOCK_MONOTONIC
#endif

// A writer increments `writers` before it reads the other two, so the descriptor is not closed, and
// posting has not ended, before every writer that has seen them has finished.
static _Atomic int writing_end = -1;
static _Atomic int reading_end = -1;
static _Atomic bool accepts_signals = false;
static _Atomic int writers = 0;

static int64_t nanoseconds(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

// If the thread is preempted between two readings, they show sleep, or a change of the wall clock,
// that did not happen. Then the clocks are read again. A thread that has just resumed is seldom
// preempted at once, so a few attempts suffice; their number is bounded for the signal handler.
void lifecycle_read_clocks(struct lifecycle_message *message) {
  for (int attempt = 0; attempt < 8; attempt++) {
    message->continuous = nanoseconds(CONTINUOUS_CLOCK);
    message->suspending = nanoseconds(SUSPENDING_CLOCK);
    message->wall = nanoseconds(CLOCK_REALTIME);
    if (nanoseconds(CONTINUOUS_CLOCK) - message->continuous < 100000) return;
  }
}

bool lifecycle_pipe_post(int signo) {
  struct lifecycle_message message = {
      .mark = LIFECYCLE_MESSAGE_MARK, .signo = signo, .pid = getpid()};
  lifecycle_read_clocks(&message);
  bool written = false;
  atomic_fetch_add(&writers, 1);
  int end = atomic_load(&writing_end);
  bool is_open = end >= 0 && (signo == 0 || atomic_load(&accepts_signals));
  // At most PIPE_BUF bytes: written whole or not at all.
  if (is_open) written = write(end, &message, sizeof message) == sizeof message;
  atomic_fetch_sub(&writers, 1);
  return written;
}

static void post_signal(int signo, siginfo_t *info, void *context);

#ifdef __linux__
// The mark that a resent signal carries.
static char sent_again_mark;
#endif

static bool was_sent_again(const siginfo_t *info) {
#ifdef __linux__
  return info->si_code == SI_QUEUE && info->si_value.sival_ptr == &sent_again_mark;
#else
  return info->si_pid == getpid();
#endif
}

// A thread may take a signal, but run the handler only when the handler is no longer installed and
// the pipe no longer accepts signals. Such a signal is meant for the handler that is installed now.
// It is sent again only once: a handler that was installed after this one may call this one each
// time.
static void send_again(int signo, const siginfo_t *info) {
  if (was_sent_again(info)) return;
  struct sigaction current;
  if (sigaction(signo, NULL, &current) != 0 || current.sa_sigaction == post_signal) return;
  bool is_caught = current.sa_handler != SIG_DFL && current.sa_handler != SIG_IGN;
  // The process is already running again, and the signal would discard stops that came after it.
  if (signo == SIGCONT && !is_caught) return;
#ifdef __linux__
  union sigval mark = {.sival_ptr = &sent_again_mark};
  if (sigqueue(getpid(), signo, mark) == 0) return;
#endif
  kill(getpid(), signo);
}

#ifdef __APPLE__
// The thread that discards a signal that is pending for it.
static _Atomic(pthread_t) discarding = NULL;
#endif

static void post_signal(int signo, siginfo_t *info, void *context) {
  (void)context;
  int saved = errno;
#ifdef __APPLE__
  pthread_t self = pthread_self();
  if (signo == SIGTSTP && atomic_compare_exchange_strong(&discarding, &self, NULL)) return;
#endif
  if (!lifecycle_pipe_post(signo)) send_again(signo, info);
  errno = saved;
}

int lifecycle_pipe_open(int ends[2]) {
#ifdef __APPLE__
  if (pipe(ends) != 0) return -1;
  for (int i = 0; i < 2; i++) {
    fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    fcntl(ends[i], F_SETFL, O_NONBLOCK);
  }
#else
  if (pipe2(ends, O_NONBLOCK | O_CLOEXEC) != 0) return -1;
#endif
  return 0;
}

static void await_writers(void) {
  while (atomic_load(&writers) > 0) sched_yield();
}

void lifecycle_pipe_accept_signals(bool accepts) {
  atomic_store(&accepts_signals, accepts);
  if (!accepts) await_writers();
}

void lifecycle_pipe_close(void) {
  int writer = atomic_exchange(&writing_end, -1);
  await_writers();
  close(writer);
  close(atomic_exchange(&reading_end, -1));
}

// The former disposition of each signal that was taken, and the handler that replaces it, which is
// 0 while the signal is not taken.
static struct sigaction former[NSIG];
static _Atomic uintptr_t replacing[NSIG];

void lifecycle_keep_for_child(int signo, const struct sigaction *action, uintptr_t handler) {
  former[signo] = *action;
  atomic_store(&replacing[signo], handler);
}

void lifecycle_forget_for_child(int signo) { atomic_store(&replacing[signo], 0); }

static bool is_forked_child = false;
static _Thread_local sigset_t mask_before_fork;

// No handler runs in the child before the former dispositions are back.
static void before_fork(void) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &mask_before_fork);
}

static void after_fork_in_parent(void) { pthread_sigmask(SIG_SETMASK, &mask_before_fork, NULL); }

// Calls only what is safe in a signal handler. The child has none of the threads.
static void after_fork_in_child(void) {
  is_forked_child = true;
  for (int signo = 1; signo < NSIG; signo++) {
    uintptr_t handler = atomic_load(&replacing[signo]);
    struct sigaction current;
    if (handler == 0 || sigaction(signo, NULL, &current) != 0) continue;
    if (lifecycle_handler(&current) == handler) sigaction(signo, &former[signo], NULL);
  }
  lifecycle_set_obstacles(LIFECYCLE_OBSTACLES_STANDARD, -1);
  int ends[] = {atomic_exchange(&writing_end, -1), atomic_exchange(&reading_end, -1)};
  for (int i = 0; i < 2; i++) {
    if (ends[i] >= 0) close(ends[i]);
  }
  pthread_sigmask(SIG_SETMASK, &mask_before_fork, NULL);
}

bool lifecycle_is_forked_child(void) { return is_forked_child; }

void lifecycle_pipe_use(int reader, int writer) {
  static bool is_prepared = false;
  if (!is_prepared) pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
  is_prepared = true;
  atomic_store(&reading_end, reader);
  atomic_store(&writing_end, writer);
}

static void ignore_signal(int signo, siginfo_t *info, void *context) {
  (void)signo, (void)info, (void)context;
}

int lifecycle_install(int signo, bool posts) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = posts ? post_signal : ignore_signal;
  action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
  sigfillset(&action.sa_mask);
  return sigaction(signo, &action, NULL);
}

uintptr_t lifecycle_handler(const struct sigaction *action) { return (uintptr_t)action->sa_handler; }

uintptr_t lifecycle_handler_number(bool posts) {
  return (uintptr_t)(posts ? post_signal : ignore_signal);
}

static _Atomic(enum lifecycle_obstacles) obstacles = LIFECYCLE_OBSTACLES_STANDARD;
static _Atomic int stop_terminal = -1;
// The instant until which calls that use the terminal are held back after a stop; the greatest one
// while a thread stops the process.
static _Atomic int64_t held_until = 0;

static void stop_at_terminal(int signo, siginfo_t *info, void *context);
static void break_at_pipe(int signo, siginfo_t *info, void *context);

// Repeated if the choice changes meanwhile, so that the last one counts.
static void apply_obstacles(int signo) {
  enum lifecycle_obstacles choice;
  do {
    choice = atomic_load(&obstacles);
    struct sigaction action;
    memset(&action, 0, sizeof action);
    // What is ignored is inherited by programs that are started, which need SIGPIPE.
    if (choice == LIFECYCLE_OBSTACLES_IGNORED && signo != SIGPIPE) {
      action.sa_handler = SIG_IGN;
    } else if (choice != LIFECYCLE_OBSTACLES_STANDARD) {
      action.sa_sigaction = signo == SIGPIPE ? break_at_pipe : stop_at_terminal;
      action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
      sigfillset(&action.sa_mask);
    }
    sigaction(signo, &action, NULL);
  } while (choice != atomic_load(&obstacles));
}

static bool may_stop_again(void) {
  if (atomic_load(&obstacles) != LIFECYCLE_OBSTACLES_GUARDED) return false;
  int terminal = atomic_load(&stop_terminal);
  if (terminal < 0) return false;
  pid_t group = tcgetpgrp(terminal);
  return group >= 0 && group != getpgrp();
}

// Who ends a stopped process sends two signals, one that ends it and SIGCONT. The calls that caused
// the stop are repeated after this handler, and would stop the process before the first of them has
// come as far as the thread that handles it. Hence the wait, up to a second, in the background.
//
// One thread stops the process, by SIGSTOP: the default action of `signo` would take a disposition
// that lets the repeated call of another thread stop it at once.
static void stop_at_terminal(int signo, siginfo_t *info, void *context) {
  (void)info, (void)context;
  int saved = errno;
  int64_t held = atomic_load(&held_until);
  if (atomic_load(&obstacles) != LIFECYCLE_OBSTACLES_IGNORED &&
      nanoseconds(SUSPENDING_CLOCK) >= held &&
      atomic_compare_exchange_strong(&held_until, &held, INT64_MAX)) {
    // To this thread, so that nothing after it happens before the stop.
    pthread_kill(pthread_self(), SIGSTOP);
    atomic_store(&held_until, nanoseconds(SUSPENDING_CLOCK) + 1000000000);
  }
  while (nanoseconds(SUSPENDING_CLOCK) < atomic_load(&held_until) && may_stop_again()) {
    poll(NULL, 0, 1);
  }
  apply_obstacles(signo);
  errno = saved;
}

// In a pipeline, Ctrl-C ends the reader, too, possibly before the signal has come as far as the
// thread that handles it. Hence the wait, of about 0.1 s, for the end to begin.
static void break_at_pipe(int signo, siginfo_t *info, void *context) {
  (void)info, (void)context;
  int saved = errno;
  for (int i = 0; i < 100 && atomic_load(&obstacles) == LIFECYCLE_OBSTACLES_GUARDED; i++) {
    poll(NULL, 0, 1);
  }
  if (atomic_load(&obstacles) != LIFECYCLE_OBSTACLES_IGNORED) {
    struct sigaction standard;
    memset(&standard, 0, sizeof standard);
    sigaction(signo, &standard, NULL);
    // Ends the process when this handler returns.
    pthread_kill(pthread_self(), signo);
  }
  errno = saved;
}

void lifecycle_set_obstacles(enum lifecycle_obstacles choice, int terminal) {
  static const int signals[] = {SIGTTIN, SIGTTOU, SIGPIPE};
  static bool is_taken[] = {false, false, false};
  enum lifecycle_obstacles before = atomic_exchange(&obstacles, choice);
  atomic_store(&stop_terminal, terminal);
  for (int i = 0; i < 3; i++) {
    struct sigaction current;
    if (sigaction(signals[i], NULL, &current) != 0) continue;
    bool is_default = current.sa_handler == SIG_DFL;
    bool is_ignored = before == LIFECYCLE_OBSTACLES_IGNORED && current.sa_handler == SIG_IGN;
    bool is_unchanged = is_ignored || current.sa_sigaction == stop_at_terminal ||
                        current.sa_sigaction == break_at_pipe;
    // A choice of the program is final.
    is_taken[i] = before == LIFECYCLE_OBSTACLES_STANDARD ? is_default
                                                         : is_taken[i] && is_unchanged;
    if (signals[i] == SIGPIPE && choice == LIFECYCLE_OBSTACLES_IGNORED) is_taken[i] |= is_default;
    if (is_taken[i]) apply_obstacles(signals[i]);
  }
}

void lifecycle_discard_pending(int signo) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signo);
#ifdef __APPLE__
  // There is no sigtimedwait, and sigwait would wait forever if SIGCONT took the signal meanwhile.
  sigset_t pending;
  if (sigpending(&pending) != 0 || !sigismember(&pending, signo)) return;
  atomic_store(&discarding, pthread_self());
  // A pending signal is delivered before this call returns.
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  atomic_store(&discarding, NULL);
#else
  struct timespec none = {0, 0};
  siginfo_t info;
  long taken;
  // The C library's sigtimedwait turns SI_TKILL into SI_USER.
  do taken = syscall(SYS_rt_sigtimedwait, &set, &info, &none, _NSIG / 8);
  while (taken < 0 && errno == EINTR);
  // If the thread's own signal has been discarded, one that is pending for the process is taken.
  if (taken < 0 || (info.si_code == SI_TKILL && info.si_pid == getpid())) return;
  if (!lifecycle_pipe_post(signo)) send_again(signo, &info);
#endif
}

void lifecycle_flush_output(void) { fflush(stdout); }

#ifdef __linux__
static int arm_clock_timer(int timer) {
  // As late as a time of 32 bits can be, and far enough in the future of the others.
  time_t last = sizeof(time_t) > 4 ? (time_t)9000000000 : (time_t)INT32_MAX;
  struct itimerspec never = {.it_value.tv_sec = last};
  int flags = TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET;
  return timerfd_settime(timer, flags, &never, NULL);
}

int lifecycle_clock_timer_open(void) {
  int timer = timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK | TFD_CLOEXEC);
  if (timer < 0 || arm_clock_timer(timer) == 0) return timer;
  int failure = errno;
  close(timer);
  errno = failure;
  return -1;
}

int lifecycle_clock_timer_clear(int timer) {
  uint64_t expirations;
  // Fails with ECANCELED, which reports the change.
  while (read(timer, &expirations, sizeof expirations) < 0 && errno == EINTR) continue;
  return arm_clock_timer(timer);
}

int lifecycle_event_open(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

int lifecycle_epoll_open(void) { return epoll_create1(EPOLL_CLOEXEC); }

bool lifecycle_epoll_add(int epoll, int descriptor) {
  struct epoll_event event = {.events = EPOLLIN};
  return epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) == 0;
}

bool lifecycle_is_interrupted(int epoll) {
  struct epoll_event event;
  return epoll_wait(epoll, &event, 1, -1) < 0 && errno == EINTR;
}
#endif

int lifecycle_thread_start(uintptr_t *thread, void *(*body)(void *), void *argument) {
  pthread_t started;
  int failure = pthread_create(&started, NULL, body, argument);
  if (failure == 0) *thread = (uintptr_t)started;
  return failure;
}

void lifecycle_thread_join(uintptr_t thread) { pthread_join((pthread_t)thread, NULL); }

static _Thread_local bool is_marked_thread = false;

bool lifecycle_thread_is_marked(void) { return is_marked_thread; }

void lifecycle_thread_mark(const char *name) {
  is_marked_thread = true;
#ifdef __APPLE__
  pthread_setname_np(name);
#else
  pthread_setname_np(pthread_self(), name);
#endif
}
