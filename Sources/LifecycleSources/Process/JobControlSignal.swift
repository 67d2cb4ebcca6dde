import LifecycleSupport

/// The signals that concern the life of a process.
package enum JobControlSignal: Hashable, Sendable, CaseIterable {
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
  package var number: Int32 {
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
  package var name: String {
    switch self {
    case .stop: "SIGTSTP"
    case .continue: "SIGCONT"
    case .terminate: "SIGTERM"
    case .interrupt: "SIGINT"
    case .hangUp: "SIGHUP"
    }
  }

  /// Creates the signal with the given number; nil if there is none.
  init?(number: Int32) {
    guard let signal = Self.allCases.first(where: { $0.number == number }) else { return nil }
    self = signal
  }
}
