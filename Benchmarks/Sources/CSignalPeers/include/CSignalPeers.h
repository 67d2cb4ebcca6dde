// The peers of the bus: what a C programmer does about Ctrl-Z without a library.

#ifndef C_SIGNAL_PEERS_H
#define C_SIGNAL_PEERS_H

#include <stdint.h>

/// What a child writes to its pipe. `kind` is 'a' when it has become active, 'r' when it resigns.
struct signal_record {
  int64_t kind;
  int64_t nanoseconds;  // CLOCK_MONOTONIC, read just before the write
};

/// Writes a record made now. Safe in a signal handler. Returns 0, or -1 with `errno`.
int signal_record_write(int pipe, char kind);

/// Stops and continues for ever: a SIGTSTP handler writes the record and stops the process.
/// Returns only on failure, with `errno`.
int signal_run_bare_handler(int pipe);

/// The same with a handler that only wakes a thread, which writes the record and stops the process:
/// what it costs to leave the handler.
int signal_run_waking_handler(int pipe);

#endif
