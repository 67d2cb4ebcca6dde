import BenchmarkSupport
import LifecycleCombine
import LifecycleCore

/// Observers added and cancelled.
func addSubscribingRows(to program: PeerProgram) {
  program.addSubscribing("token") { slots, cancelled in
    let bus = LifecycleBus()
    return SubscribingFixture(bus, keeping: observe(bus, slots)) {
      bus.addObserver { _ in cancelled.increment() }.cancel()
    }
  }
  // All of a batch are added before the first of them is cancelled.
  program.addSubscribing("token-first-out") { slots, cancelled in
    let bus = LifecycleBus()
    return SubscribingFixture(keeping: observe(bus, slots)) { count in
      send(count, to: bus)
    } subscribeAndCancel: { count in
      let tokens = (0..<count).map { _ in bus.addObserver { _ in cancelled.increment() } }
      for token in tokens { token.cancel() }
    }
  }
  program.addSubscribing("scope") { slots, cancelled in
    let bus = LifecycleBus()
    return SubscribingFixture(bus, keeping: observe(bus, slots)) {
      let scope = LifecycleScope()
      bus.addObserver(in: scope) { (_: LifecycleEvent) in cancelled.increment() }
      scope.end()
    }
  }
  program.addSubscribing("owner") { slots, cancelled in
    let bus = LifecycleBus()
    let owners = slots.map(Owner.init)
    MainActor.assumeIsolated {
      for owner in owners { bus.addObserver(owner) { owner, _ in owner.slot.increment() } }
    }
    // Each observer ends with its owner, and is released by the registrations after it.
    return SubscribingFixture(bus, keeping: owners) {
      MainActor.assumeIsolated {
        bus.addObserver(Owner(cancelled)) { owner, _ in owner.slot.increment() }
      }
    }
  }
  program.addSubscribing("sink") { slots, cancelled in
    let bus = LifecycleBus()
    return SubscribingFixture(bus, keeping: sinks(bus, slots)) {
      bus.events.sink { _ in cancelled.increment() }.cancel()
    }
  }
}

extension SubscribingFixture {
  /// Keeps the bus and its observers.
  fileprivate init(
    _ bus: LifecycleBus,
    keeping kept: Any,
    subscribeAndCancel: @escaping () -> Void
  ) {
    self.init(keeping: kept) { count in
      send(count, to: bus)
    } subscribeAndCancel: { count in
      for _ in 0..<count { subscribeAndCancel() }
    }
  }
}
