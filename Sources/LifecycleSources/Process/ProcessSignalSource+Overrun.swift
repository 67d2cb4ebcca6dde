import IssueReporting
public import ReactiveLifecycle

extension ProcessSignalSource {
  /// A report of observers of one bus that were still running when a deadline passed.
  ///
  /// The deadline is that of a stop, or of the end of the process.
  public struct Overrun: Hashable, Sendable {
    /// The event that was being delivered: `didEnterBackground` or `willTerminate`.
    public var kind: LifecycleEvent.Kind
    /// The deadline that passed, counted from the signal's arrival.
    public var deadline: Duration
    /// The observer that was running; nil if none had been reached, as on a main-actor bus whose
    /// main thread is blocked.
    public var observer: LifecycleObserverLocation?
  }
}

extension ProcessSignalSource.Overrun: CustomStringConvertible {
  /// A sentence that describes the overrun.
  public var description: String {
    let who =
      if let observer {
        "the observer registered at \(observer) was still running"
      } else {
        "the bus had not reached its observers (is the thread where it delivers blocked?)"
      }
    return "\(deadline) after \(kind) was announced, \(who); the process goes on without it."
  }
}

extension ProcessSignalSource.Overrun {
  /// Reports the overrun as an issue.
  ///
  /// An issue is a failure in a test, a purple warning in Xcode, and a line on standard error
  /// elsewhere.
  public func report() {
    reportIssue(description)
  }
}
