extension ProcessSignalSource {
  /// A set of signals that the source can take from the process.
  ///
  /// ```swift
  /// let daemon: ProcessSignalSource.Signals = [.terminate, .interrupt, .hangUp]
  /// ```
  public struct Signals: OptionSet, Hashable, Sendable {
    /// The bits of the set.
    public let rawValue: UInt8

    /// Creates a set from its bits.
    ///
    /// - Parameter rawValue: A bit for each of the signals, such as those of ``terminate``.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// `SIGTSTP`, the signal of Ctrl-Z, and `SIGCONT`, the one that continues a stopped process.
    public static let jobControl = Self(rawValue: 1 << 0)
    /// `SIGTERM`.
    public static let terminate = Self(rawValue: 1 << 1)
    /// `SIGINT`, the signal of Ctrl-C.
    public static let interrupt = Self(rawValue: 1 << 2)
    /// `SIGHUP`, which is sent when the terminal is closed.
    public static let hangUp = Self(rawValue: 1 << 3)

    /// All signals that the source can take.
    public static let all: Self = [.jobControl, .terminate, .interrupt, .hangUp]
  }
}

extension ProcessSignalSource.Signals: CustomStringConvertible, CustomReflectable {
  /// The POSIX names of the signals, for example `[SIGTERM, SIGINT]`.
  public var description: String {
    "[\(JobControlSignal.allCases.filter(includes).map(\.name).joined(separator: ", "))]"
  }

  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .set) }
}

extension ProcessSignalSource.Signals {
  init(_ signal: JobControlSignal) {
    self =
      switch signal {
      case .stop, .continue: .jobControl
      case .terminate: .terminate
      case .interrupt: .interrupt
      case .hangUp: .hangUp
      }
  }

  func includes(_ signal: JobControlSignal) -> Bool { contains(Self(signal)) }
}
