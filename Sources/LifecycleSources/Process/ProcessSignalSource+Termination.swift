extension ProcessSignalSource {
  /// The party that ends the process after a `SIGTERM`, `SIGINT` or `SIGHUP`.
  ///
  /// Not an enumeration, because later versions may add options.
  public struct Termination: Hashable, Sendable {
    enum Choice: Hashable, Sendable { case reraise, observe }

    let choice: Choice

    /// The source ends the process.
    ///
    /// The source waits until the observers of `willTerminate` have returned, or until the
    /// deadline, and until the tasks of ``ProcessBackgroundTaskHost`` have ended, or have used up
    /// their time. Then the signal itself ends the process, so that a shell loop ends on Ctrl-C
    /// too. As process 1 of a container, where that has no effect, the process exits with 128 + the
    /// signal's number.
    ///
    /// A second `SIGTERM` or `SIGINT` ends the process at once, but no sooner than 0.1 s after the
    /// first, because timeout(1) and others send two and mean one. A `SIGHUP` is not counted: the
    /// kernel and the shell both send one, and systemd sends one along with `SIGTERM`.
    public static let reraise = Self(choice: .reraise)
    /// Another party ends the process, such as the `ServiceGroup` of swift-service-lifecycle.
    ///
    /// The source only announces `willTerminate`, once, and waits for no observer. A signal that
    /// arrives while the last connection is being cancelled, too late for its bus, is sent again
    /// when the former handlers are restored.
    public static let observe = Self(choice: .observe)
  }
}

extension ProcessSignalSource.Termination: CustomStringConvertible, CustomReflectable {
  /// The text `reraise` or `observe`.
  public var description: String { "\(choice)" }

  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .enum) }
}
