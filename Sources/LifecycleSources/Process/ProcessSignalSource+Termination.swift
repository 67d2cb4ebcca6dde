extension ProcessSignalSource {
  /// The party that ends the process after a `SIGTERM`, `SIGINT` or `SIGHUP`.
  ///
  /// Not an enumeration, because later versions may add options.
  public struct Termination: Hashable, Sendable {
    enum Choice: Hashable, Sendable { case reraise, observe }

    let choice: Choice
    /// The time that observers have to cancel the end; nil if they are not asked.
    private(set) var timeToAsk: Duration?

    /// The source ends the process.
    ///
    /// Another party of the program that takes the signal is waited for only if it has a background
    /// task. On Linux, one that is not is reported.
    ///
    /// The source waits until the observers of `willTerminate` have returned, or until the
    /// deadline, and until the tasks of ``ProcessBackgroundTaskHost`` have ended, or have used up
    /// their time. Then the buffer of standard output is written out, for at most half a second,
    /// and the signal itself ends the process, so that a shell loop ends on Ctrl-C too. As process
    /// 1 of a container, where that has no effect, the process exits with 128 + the signal's
    /// number.
    ///
    /// A second `SIGTERM` or `SIGINT` ends the process at once, unless it comes within 0.3 s of the
    /// first: timeout(1), npm and others send two and mean one. A `SIGHUP` is not counted: the
    /// kernel and the shell both send one, and systemd sends one along with `SIGTERM`.
    public static let reraise = Self(choice: .reraise)
    /// Another party ends the process, such as the `ServiceGroup` of swift-service-lifecycle.
    ///
    /// The source only announces `willTerminate`, once, and waits for no observer. A signal that
    /// arrives while the last connection is being cancelled, too late for its bus, is sent again
    /// when the former handlers are restored.
    public static let observe = Self(choice: .observe)

    /// Returns a termination before which the observers are asked whether the process may end.
    ///
    /// ```swift
    /// bus.onExitRequest(in: scope) { _ in await editor.mayClose() ? .exit : .cancel }
    /// try bus.connect(
    ///   .processSignals(termination: .reraise.asking(within: .seconds(30)))
    /// )
    /// .store(in: scope)
    /// ```
    ///
    /// `SIGTERM`, `SIGINT` and `SIGHUP` are then requests: the observers of exit requests of all
    /// connected buses are asked, with the name of the signal in the request's `metadata`. If one
    /// of them cancels, the process continues, and `willTerminate` is not announced. If all agree,
    /// or the time is up and none has cancelled, the termination follows, as without a question.
    /// Without an observer of exit requests, it follows at once.
    ///
    /// A second `SIGTERM` or `SIGINT` ends the process without an answer, unless it comes within
    /// 0.3 s of the first. Ctrl-Z stops the process meanwhile, and the time with it.
    ///
    /// A connection that is cancelled meanwhile is no longer waited for.
    ///
    /// If connections differ, the observers are asked if one of the connections asks, and have the
    /// longest time.
    ///
    /// - Parameter time: The time for all answers, not counting the time that the machine sleeps,
    ///   or that the process is frozen or stopped. The sender of a `SIGTERM` often waits for 10
    ///   seconds (Docker) before it sends `SIGKILL`.
    public func asking(within time: Duration) -> Self {
      Self(choice: choice, timeToAsk: max(time, .zero))
    }
  }
}

extension ProcessSignalSource.Termination: CustomStringConvertible, CustomReflectable {
  /// The text `reraise` or `observe`, and for example `, asking within 30.0 seconds`.
  public var description: String {
    "\(choice)\(timeToAsk.map { ", asking within \($0)" } ?? "")"
  }

  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .enum) }
}
