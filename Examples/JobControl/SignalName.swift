import CJobControl

/// Returns the name of a signal, such as `SIGKILL`; `signal 9` where the C library does not tell it.
public func signalName(_ signal: CInt) -> String {
  job_control_signal_name(signal).map { "SIG\(String(cString: $0))" } ?? "signal \(signal)"
}
