#if Services
  import LifecycleSupport
  import ReactiveLifecycle

  /// The source of a bus whose process is run by a service group.
  final class ServiceGroupSource: LifecycleSource {
    let name: LifecycleSourceName = "serviceGroup"
    private let core: LifecycleBusCore
    private let input = Locked<LifecycleFeed?>(nil)

    init(_ core: LifecycleBusCore) {
      self.core = core
    }

    /// Reports that the process is active, unless the bus knows its phase from another source.
    func start(_ input: LifecycleFeed) -> @Sendable () -> Void {
      self.input.exchange(input)
      if core.phase == .unknown { input.send(.didBecomeActive) }
      return {}
    }

    /// Sends `willTerminate`, and waits until its observers have returned, also if another source
    /// has sent it before.
    ///
    /// - Returns: Whether the deadline has passed first.
    func end(within deadline: Duration) async -> Bool {
      guard let input = input.withLock({ $0 }) else { return false }
      let wait = TimedWait(core.clock, deadline)
      return await wait.wait { _ = input.send(.willTerminate, completion: $0) }
    }
  }
#endif
