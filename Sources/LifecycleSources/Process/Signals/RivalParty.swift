import Dispatch
import ReactiveLifecycle

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Another party of the program that observes a signal that is about to end the process.
enum RivalParty {
  /// The time for which the search may delay the end.
  private static let time = DispatchTimeInterval.milliseconds(100)

  /// Returns true if there is one. Call this method last: the relay of the signal is gone after it.
  ///
  /// Dispatch has a signalfd(2) for each signal for as long as it has a source for it, and the
  /// relay's source is one of them. On Darwin, Dispatch leaves no trace.
  static func observes(_ signal: JobControlSignal) -> Bool {
    #if canImport(Darwin)
      false
    #else
      let deadline = DispatchTime.now() + time
      return SignalRelay.retire(signal, until: deadline) && hasReader(of: signal, until: deadline)
    #endif
  }

  #if !canImport(Darwin)
    /// Returns true if a descriptor of Dispatch reads the signal; false if none is found in time.
    static func hasReader(of signal: JobControlSignal, until deadline: DispatchTime) -> Bool {
      for descriptor in ProcessFiles.names(in: "/proc/self/fdinfo") {
        guard .now() < deadline else { return false }
        if isReader(descriptor, of: signal) { return true }
      }
      return false
    }

    /// A descriptor that stays open in another program may come from the parent of the process.
    private static func isReader(_ descriptor: UInt32, of signal: JobControlSignal) -> Bool {
      guard fcntl(Int32(descriptor), F_GETFD) & FD_CLOEXEC != 0 else { return false }
      let set = ProcessFiles.mask("sigmask", in: "/proc/self/fdinfo/\(descriptor)") ?? 0
      return set & signal.bit != 0
    }
  #endif
}

extension ProcessSignalSource {
  /// Reports, at the line that made the source, that the process does not wait for another party.
  func reportRivalParty(of signal: JobControlSignal) {
    site.report(
      """
      \(signal.name) ends the process without waiting for another party of the program that \
      observes the signal, such as a ServiceGroup that takes it, or a DispatchSourceSignal. Run the \
      services with runServices of LifecycleServices, for which the process waits, or create this \
      source with .processSignals(termination: .observe), so that the other party ends the process.
      """
    )
  }
}
