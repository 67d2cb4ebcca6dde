import BenchmarkSupport
import LifecycleCore
import LifecycleFlightRecording

/// Events to closures.
func addClosureRows(to program: PeerProgram) {
  program.addSending("token") { slots in
    let bus = LifecycleBus()
    return SendingFixture(bus, keeping: observe(bus, slots))
  }
  program.addSending("token-nonisolated") { slots in
    let bus = NonisolatedLifecycleBus()
    let tokens = slots.map { slot in bus.addObserver { _ in slot.increment() } }
    return SendingFixture(bus, keeping: tokens)
  }
  program.addSending("token-clock-read", to: [1]) { slots in
    let bus = LifecycleBus()
    return SendingFixture(keeping: observe(bus, slots)) { count in
      for _ in 0..<count { bus.send(.didReceiveMemoryWarning) }
    }
  }
  program.addSending("token-recorded", to: [1, 100]) { slots in
    let bus = LifecycleBus()
    let recorder = FlightRecorder(of: bus)
    return SendingFixture(bus, keeping: (recorder, observe(bus, slots)))
  }
  program.addSending("scope") { slots in
    let bus = LifecycleBus()
    let scope = LifecycleScope()
    for slot in slots { bus.addObserver(in: scope) { (_: LifecycleEvent) in slot.increment() } }
    return SendingFixture(bus, keeping: scope)
  }
  program.addSending("owner") { slots in
    let bus = LifecycleBus()
    let owners = slots.map(Owner.init)
    MainActor.assumeIsolated {
      for owner in owners { bus.addObserver(owner) { owner, _ in owner.slot.increment() } }
    }
    return SendingFixture(bus, keeping: owners)
  }
  // More events an iteration: these observers cost next to nothing.
  program.addSending("filtered-out", calls: 20_000, callsPerEvent: 0) { slots in
    let bus = LifecycleBus()
    let tokens = slots.map { slot in
      bus.addObserver(for: [.systemWillSleep]) { _ in slot.increment() }
    }
    return SendingFixture(bus, keeping: tokens)
  }
}

/// Registers an observer for each slot.
func observe(_ bus: LifecycleBus, _ slots: [CallSlot]) -> [LifecycleCancellable] {
  slots.map { slot in bus.addObserver { _ in slot.increment() } }
}

/// What view models are to the bus.
final class Owner: Sendable {
  /// Where its observer counts.
  let slot: CallSlot

  init(_ slot: CallSlot) {
    self.slot = slot
  }
}
