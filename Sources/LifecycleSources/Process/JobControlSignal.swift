#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The signals that say something about the life of a process.
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

  /// Whether it is one of them.
  var isEnd: Bool { Self.ends.contains(self) }

  /// The number that the system has for it.
  package var number: Int32 {
    switch self {
    case .stop: SIGTSTP
    case .continue: SIGCONT
    case .terminate: SIGTERM
    case .interrupt: SIGINT
    case .hangUp: SIGHUP
    }
  }

  /// Its POSIX name.
  package var name: String {
    switch self {
    case .stop: "SIGTSTP"
    case .continue: "SIGCONT"
    case .terminate: "SIGTERM"
    case .interrupt: "SIGINT"
    case .hangUp: "SIGHUP"
    }
  }

  /// The signal with the number, if it is one of them.
  init?(number: Int32) {
    guard let signal = Self.allCases.first(where: { $0.number == number }) else { return nil }
    self = signal
  }
}
