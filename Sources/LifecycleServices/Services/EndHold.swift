#if Services
  import LifecycleBackgroundWork
  import LifecycleSources
  import LifecycleSupport
  import ReactiveLifecycle

  /// A background task that delays the signal that ends the process while a service group shuts
  /// down. It does not delay a stop by Ctrl-Z.
  final class EndHold: Sendable {
    /// The party that runs the group.
    enum Owner: Sendable {
      /// Code that is not known here, which may not shut the group down.
      case unknownGroup
      /// `runServices`, which shuts the group down when the bus ends.
      case runServices
    }

    private enum State {
      case waiting
      case holding(BackgroundTaskID?)
      case ended
    }

    private let host: ProcessBackgroundTaskHost
    private let grace: Duration
    private let site: CallSite
    private let owner: Owner
    private let state = Locked(State.waiting)

    init(grace: Duration, _ site: CallSite, _ owner: Owner) {
      self.grace = max(grace, .zero)
      self.site = site
      self.owner = owner
      host = .process(grace: grace, delaying: .end)
    }

    /// Begins the task. Has no effect if it has begun.
    func begin() {
      let isFirst = state.withLock { state in
        guard case .waiting = state else { return false }
        state = .holding(nil)
        return true
      }
      guard isFirst else { return }
      let task = host.beginTask(named: "services") { [self] in expire() }
      let hasEnded = state.withLock { state in
        if case .ended = state { return true }
        state = .holding(task)
        return false
      }
      if hasEnded, let task { host.endTask(task) }
    }

    /// Ends the task. Has no effect if it has ended.
    func end() {
      let task = state.withLock { state -> BackgroundTaskID? in
        defer { state = .ended }
        if case .holding(let task) = state { return task }
        return nil
      }
      if let task { host.endTask(task) }
    }

    /// Reports that the signal ends the process before the group has finished.
    private func expire() {
      let remedy =
        switch owner {
        case .unknownGroup:
          """
          Pass every signal that ends the process to the group (gracefulShutdownSignals), return \
          from main after the group, or run the services with runServices.
          """
        case .runServices:
          "Return from the services sooner when they are shut down, or choose a longer grace period."
        }
      site.report(
        """
        The service group had not finished \(grace) after the bus ended, so the signal ends the \
        process without waiting for its services. \(remedy)
        """
      )
      end()
    }
  }
#endif
