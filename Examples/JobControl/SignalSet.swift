import CJobControl

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension sigset_t {
  static var empty: sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    return set
  }

  static var full: sigset_t {
    var set = sigset_t()
    sigfillset(&set)
    return set
  }

  init(_ signals: some Sequence<CInt>) {
    self = .empty
    for signal in signals { sigaddset(&self, signal) }
  }
}

extension InheritedSignals {
  /// All signals whose disposition can be changed. The numbers from 32 belong to the C library and
  /// to real-time signals, which no job here uses.
  static let catchable = (CInt(1)..<32).filter { $0 != SIGKILL && $0 != SIGSTOP }

  /// The members that can be inherited.
  var signals: [CInt] {
    switch self {
    case .none: []
    case .all: Self.catchable
    case .some(let signals): Self.catchable.filter(signals.contains)
    }
  }

  var mask: sigset_t {
    self == .all ? .full : sigset_t(signals)
  }
}

/// Returns the name of a signal, such as `SIGKILL`; `signal 9` where the C library has no name.
public func signalName(_ signal: CInt) -> String {
  job_control_signal_name(signal).map { "SIG\(String(cString: $0))" } ?? "signal \(signal)"
}
