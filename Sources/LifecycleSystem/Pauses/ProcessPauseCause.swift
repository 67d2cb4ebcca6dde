/// The cause of a pause that the process did not see coming.
public enum ProcessPauseCause: String, Hashable, Sendable, CaseIterable {
  /// A `SIGSTOP`.
  case stopped
  /// The freezer of the control group, as `docker pause` uses it.
  case frozen
  /// None of the above: a paused virtual machine, or one with too few processors. Also a stop of a
  /// process that is connected to no signals.
  case unknown
}
