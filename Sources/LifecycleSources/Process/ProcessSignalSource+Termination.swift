extension ProcessSignalSource {
  /// Who ends the process after a `SIGTERM`, `SIGINT` or `SIGHUP`.
  ///
  /// Not an enumeration, because later versions may have more ways.
  public struct Termination: Hashable, Sendable {
    enum Choice: Hashable, Sendable { case reraise, observe }

    let choice: Choice

    /// The source: when the observers of `willTerminate` have returned, or at the deadline, and when
    /// the tasks of ``ProcessBackgroundTaskHost`` have ended, or had their time, the process dies by
    /// the signal itself, so that a shell loop ends on Ctrl-C too. As process 1 of a container, where
    /// that has no effect, it exits with 128 + the signal's number. A second `SIGTERM` or `SIGINT` ends
    /// it at once, but no sooner than 0.1 s after the first, because timeout(1) and others send two and
    /// mean one. A `SIGHUP` is not counted: the kernel and the shell both send one, and systemd sends
    /// one along with `SIGTERM`.
    public static let reraise = Self(choice: .reraise)
    /// Somebody else, such as the `ServiceGroup` of swift-service-lifecycle. The source only
    /// announces `willTerminate`, once, and waits for no observer. A signal that comes while the last
    /// connection is cancelled, too late for its bus, is sent again when the former handlers are back.
    public static let observe = Self(choice: .observe)
  }
}

extension ProcessSignalSource.Termination: CustomStringConvertible, CustomReflectable {
  /// `reraise` or `observe`.
  public var description: String { "\(choice)" }

  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .enum) }
}
