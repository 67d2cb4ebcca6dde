// The call that moves a clock, which Swift's Glibc module does not show.

#ifndef C_CLOCK_SHIFT_H
#define C_CLOCK_SHIFT_H

// Moves the wall clock of the machine by that much, in one step. Returns 0, or -1 with errno set:
// EPERM without the privilege.
int shift_wall_clock(long long nanoseconds);

#endif
