// The parts of signal handling that Swift cannot express: a handler that is safe to run at any
// instruction, and calls that Swift's view of the C library lacks.

#ifndef C_LIFECYCLE_SHIMS_H
#define C_LIFECYCLE_SHIMS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/// What the handler writes for a signal; `signo` 0 is a mere wake-up. Times are nanoseconds.
struct lifecycle_record {
  int32_t signo;
  int32_t pid;  // of the writing process: a forked child shares the pipe
  int64_t continuous;
  int64_t suspending;
  int64_t wall;
};

/// Opens the process's one record pipe. Returns its reading end, or -1 with `errno`.
int lifecycle_pipe_open(void);
/// Takes the writing end from the handler, waits for handlers at work, and closes both ends.
/// What was written before can be read between the two calls.
void lifecycle_pipe_detach(void);
void lifecycle_pipe_close(int reader);
/// Writes a record made now. Safe on any thread and in a signal handler. False when no pipe is
/// open, or when it is full.
bool lifecycle_pipe_write(int signo);
/// Reads the three clocks into `record`.
void lifecycle_read_clocks(struct lifecycle_record *record);

/// Makes the handler that records, or the one that does nothing, the disposition of `signo`.
/// Returns 0, or -1 with `errno`.
int lifecycle_install(int signo, bool records);
/// The handler in `action` as a number: comparable, and 0 for the default, 1 for ignored.
uintptr_t lifecycle_handler(const struct sigaction *action);
/// The handler that records, or the one that does nothing, as such a number.
uintptr_t lifecycle_handler_number(bool records);

/// Takes back the `signo` that the calling thread, which blocks it, has sent to itself, if that is
/// still pending; never waits. One that was sent to the process meanwhile is recorded.
void lifecycle_discard_pending(int signo);
/// Names the calling thread for debuggers; at most 15 bytes.
void lifecycle_name_thread(const char *name);

#endif
