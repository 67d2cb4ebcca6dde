// The parts of signal handling that Swift cannot express: a handler that is safe to run at any
// instruction, and calls that Swift's view of the C library lacks.

#ifndef C_LIFECYCLE_SHIMS_H
#define C_LIFECYCLE_SHIMS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/// The message that the handler posts for a signal; `signo` 0 is a mere wake-up. Times are in
/// nanoseconds.
struct lifecycle_message {
  uint64_t mark;
  int32_t signo;
  int32_t pid;  // of the writing process: a forked child shares the pipe
  int64_t continuous;
  int64_t suspending;
  int64_t wall;
};

/// The first bytes of every message.
#define LIFECYCLE_MESSAGE_MARK 0x9ad1c7f3e58b2064ULL

/// Opens a pipe for messages: its reading end, then its writing end. Returns 0, or -1 with `errno`.
int lifecycle_pipe_open(int ends[2]);
/// Makes the ends of a pipe the one that messages are posted to, of which the process has one. For
/// one thread at a time.
void lifecycle_pipe_use(int reader, int writer);
/// Begins or ends the posting of signals. The end waits for running handlers; messages that were
/// posted before can be read after it.
void lifecycle_pipe_accept_signals(bool accepts);
/// Waits for running writers, and closes both ends.
void lifecycle_pipe_close(void);
/// Posts a message with this moment. Safe on any thread and in a signal handler. Returns false if
/// no pipe is open, if it is full, or if `signo` is not 0 and signals are not accepted.
bool lifecycle_pipe_post(int signo);
/// Reads the three clocks into `message`, as near to each other as the processor allows.
void lifecycle_read_clocks(struct lifecycle_message *message);

/// Makes the handler that posts, or the one that does nothing, the disposition of `signo`. Returns
/// 0, or -1 with `errno`.
int lifecycle_install(int signo, bool posts);
/// Returns the handler in `action` as a number: comparable, 0 for the default, and 1 for ignored.
uintptr_t lifecycle_handler(const struct sigaction *action);
/// Returns the handler that posts, or the one that does nothing, as such a number.
uintptr_t lifecycle_handler_number(bool posts);

/// The effect of signals that can keep the process from ending in order: `SIGTTIN` and `SIGTTOU`
/// stop a job of the background that uses its terminal, and `SIGPIPE` ends the writer of a pipe that
/// has no reader.
enum lifecycle_obstacles {
  /// They have their default actions.
  LIFECYCLE_OBSTACLES_STANDARD,
  /// They stop or end the process, too. When it continues, the call that caused the stop is delayed
  /// for a while, so that a signal that came meanwhile is handled first. `SIGPIPE` has its effect a
  /// moment later, unless a signal ends the process by then.
  LIFECYCLE_OBSTACLES_GUARDED,
  /// They have no effect.
  LIFECYCLE_OBSTACLES_IGNORED,
};
/// Sets the disposition of these signals, except where the program has chosen another. One thread
/// at a time may call this function.
///
/// \param terminal A descriptor of the controlling terminal; -1 for none.
void lifecycle_set_obstacles(enum lifecycle_obstacles choice, int terminal);
/// Has children of this process by fork(2) get `action` back as the disposition of `signo`, if
/// `handler` is in place then. For one thread at a time, with a pipe in use.
void lifecycle_keep_for_child(int signo, const struct sigaction *action, uintptr_t handler);
/// Ends that.
void lifecycle_forget_for_child(int signo);
/// Returns true in a child by fork(2) of a process that has used a pipe: there is no thread behind
/// what it shares with its parent.
bool lifecycle_is_forked_child(void);

/// Takes back the `signo` that the calling thread, which blocks it, has sent to itself, if it is
/// still pending; never waits. A signal that was sent to the process meanwhile is posted.
void lifecycle_discard_pending(int signo);
/// Writes out the buffer of standard output. May wait for a lock or for the reader.
void lifecycle_flush_output(void);
#ifdef __linux__
/// Opens a timer that never expires and becomes readable when the wall clock is set, and after
/// sleep. Returns its descriptor, or -1 with `errno`.
int lifecycle_clock_timer_open(void);
/// Makes the timer wait for the next change. Returns 0, or -1 with `errno`.
int lifecycle_clock_timer_clear(int timer);
/// Opens an eventfd(2). Returns its descriptor, or -1 with `errno`.
int lifecycle_event_open(void);
/// Opens an epoll(7) instance. Returns its descriptor, or -1 with `errno`.
int lifecycle_epoll_open(void);
/// Has the instance wait for a descriptor that becomes readable. Returns false with `errno`.
bool lifecycle_epoll_add(int epoll, int descriptor);
/// Waits on a thread that blocks all signals. Returns true when something has interrupted that, as
/// a stop of the process and a freeze do, see signal(7); false when a descriptor is readable.
bool lifecycle_is_interrupted(int epoll);
#endif
/// Starts a thread, and stores its number in `thread`, possibly after it has begun. Returns 0, or
/// an error number.
int lifecycle_thread_start(uintptr_t *thread, void *(*body)(void *), void *argument);
/// Waits until a thread has returned, and releases it.
void lifecycle_thread_join(uintptr_t thread);
/// Marks the calling thread, and names it for debuggers; at most 15 bytes.
void lifecycle_thread_mark(const char *name);
/// Returns true on a marked thread. A task that such a thread creates runs on others.
bool lifecycle_thread_is_marked(void);

#endif
