// The few calls of terminals and process creation that Swift's Glibc module does not show.

#ifndef C_JOB_CONTROL_H
#define C_JOB_CONTROL_H

#include <spawn.h>
#include <stddef.h>

// Opens a new pseudo-terminal, closed on exec. Returns the master's descriptor and writes the path
// of its slave, or returns -1 with errno set. A key that sends a signal discards neither input nor
// output (NOFLSH).
int job_control_open_pseudo_terminal(char *slave_path, size_t size);

// Opens a pipe, closed on exec where that can be had at once. Returns 0, or -1 with errno set.
int job_control_open_pipe(int ends[2]);

// The attribute flag that puts a spawned process in a session of its own.
short job_control_setsid_flag(void);

// Makes the spawned process' group the foreground group of the terminal at `descriptor`, before
// the program runs. Returns ENOTSUP where the C library has no such action.
int job_control_add_foreground(posix_spawn_file_actions_t *actions, int descriptor);

// Closes `lowest` and every descriptor above it in the spawned process. Returns ENOTSUP where the
// C library has no such action.
int job_control_add_closefrom(posix_spawn_file_actions_t *actions, int lowest);

// Returns the name of a signal without "SIG", or NULL if it has none or the C library does not tell.
const char *job_control_signal_name(int signal);

#endif
