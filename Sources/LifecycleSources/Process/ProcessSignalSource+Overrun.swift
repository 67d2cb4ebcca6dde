import IssueReporting
public import ReactiveLifecycle

extension ProcessSignalSource {
  /// A report of observers of one bus that were still running when a deadline passed.
  ///
  /// The deadline is that of a stop, or of the end of the process.
  public struct Overrun: Hashable, Sendable {
    /// The event that was being delivered: `didEnterBackground` or `willTerminate`.
    public var kind: LifecycleEvent.Kind
    /// The deadline that passed, counted from the moment at which observers are notified.
    public var deadline: Duration
    /// The observer that was running; nil if none had been reached, as on a main-actor bus whose
    /// main thread is blocked.
    public var observer: LifecycleObserverLocation?

    package init(
      kind: LifecycleEvent.Kind,
      deadline: Duration,
      observer: LifecycleObserverLocation?
    ) {
      self.kind = kind
      self.deadline = deadline
      self.observer = observer
    }
  }
}

extension ProcessSignalSource.Overrun: CustomStringConvertible {
  /// A description of the overrun, and of what to do.
  public var description: String {
    if let observer {
      """
      The observer registered at \(observer) was still running \(deadline) after \(kind) was \
      announced, so the process no longer waits for it. Return from the observer sooner, or choose \
      a longer deadline.
      """
    } else {
      """
      The bus had not reached its observers \(deadline) after \(kind) was announced, so the \
      process no longer waits for them. Check whether the thread where the bus delivers is blocked.
      """
    }
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
