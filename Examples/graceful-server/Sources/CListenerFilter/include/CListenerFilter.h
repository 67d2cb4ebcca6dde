#ifndef C_LISTENER_FILTER_H
#define C_LISTENER_FILTER_H

/// Discards each request for a new connection that reaches a listening TCP socket from now on.
/// Handshakes that have begun are completed, and connections in the queue stay there.
///
/// Returns 0, or the number of the error.
int listener_discard_new_connections(int listener);

#endif
