/// One Ctrl-Z, in nanoseconds from the moment before it was typed.
struct Latency {
  let round: Int
  let peer: Peer
  /// Until the handler or the observer was called, by the child's reading of the clock.
  let called: Int64
  /// Until the parent had read the record that it wrote.
  let arrived: Int64
}
