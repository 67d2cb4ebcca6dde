import IssueReporting
public import ReactiveLifecycle

extension ProcessSignalSource {
  /// Observers of one bus that were still running when the deadline of a stop, or of the end of the
  /// process, passed.
  public struct Overrun: Hashable, Sendable {
    /// The event that was in delivery: `didEnterBackground` or `willTerminate`.
    public var kind: LifecycleEvent.Kind
    /// The deadline that passed, counted from the signal's arrival.
    public var deadline: Duration
    /// The observer that was running; nil when none had been reached, as on a main-actor bus whose
    /// main thread is blocked.
    public var observer: LifecycleObserverLocation?
  }
}

extension ProcessSignalSource.Overrun: CustomStringConvertible {
  /// What was late, in one sentence.
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
  /// Reports it as an issue: a failure in a test, a purple warning in Xcode, a line on standard
  /// error elsewhere.
  public func report() {
    reportIssue(description)
  }
}
