import CLifecycleShims
import LifecycleSupport

/// The signals that concern the life of a process.
enum JobControlSignal: Hashable, Sendable, CaseIterable {
  /// `SIGTSTP`: Ctrl-Z.
  case stop
  /// `SIGCONT`: a shell's `fg` and `bg` of a stopped job.
  case `continue`
  /// `SIGTERM`.
  case terminate
  /// `SIGINT`: Ctrl-C.
  case interrupt
  /// `SIGHUP`: the terminal is gone.
  case hangUp

  /// The signals that end the process.
  static let ends: [Self] = [.terminate, .interrupt, .hangUp]

  /// A Boolean value that indicates whether the signal ends the process.
  var isEnd: Bool { Self.ends.contains(self) }

  /// The system's number for the signal.
  var number: Int32 {
    switch self {
    case .stop: SIGTSTP
    case .continue: SIGCONT
    case .terminate: SIGTERM
    case .interrupt: SIGINT
    case .hangUp: SIGHUP
    }
  }

  /// The signal in a set of signals as proc(5) shows it.
  var bit: UInt64 { 1 << UInt64(number - 1) }

  /// The POSIX name of the signal.
  var name: String {
    switch self {
    case .stop: "SIGTSTP"
    case .continue: "SIGCONT"
    case .terminate: "SIGTERM"
    case .interrupt: "SIGINT"
    case .hangUp: "SIGHUP"
    }
  }
}

/// The readings of three clocks in a signal handler, in nanoseconds.
///
/// Moments are ordered by the clock that never stops and is never set.
package struct SignalMoment: Hashable, Comparable, Sendable {
  /// The time since boot, including sleep.
  package var continuous: Int64
  /// The time since boot, excluding sleep.
  package var suspending: Int64
  /// The time since 1970.
  package var wall: Int64

  /// Creates a moment from the readings.
  package init(continuous: Int64, suspending: Int64, wall: Int64) {
    self.continuous = continuous
    self.suspending = suspending
    self.wall = wall
  }

  /// Creates the moment of a message from a signal handler.
  init(_ message: lifecycle_message) {
    continuous = message.continuous
    suspending = message.suspending
    wall = message.wall
  }

  /// The current moment.
  package static var now: Self {
    var message = lifecycle_message()
    lifecycle_read_clocks(&message)
    return Self(message)
  }

  /// A moment before every signal.
  static let zero = Self(continuous: 0, suspending: 0, wall: 0)

  package static func < (left: Self, right: Self) -> Bool {
    left.continuous < right.continuous
  }
}
