import BenchmarkSupport
import LifecycleCombine
import LifecycleCore

/// Sends with a fixed instant: the clocks are not read. On the main thread a `LifecycleBus` has
/// delivered when `send` returns.
func send(_ count: Int, to bus: some LifecycleBusProtocol) {
  let instant = LifecycleInstant.sample
  for _ in 0..<count { bus.send(.didReceiveMemoryWarning, at: instant) }
}

extension SendingFixture {
  /// Keeps the bus and its observers.
  init(_ bus: some LifecycleBusProtocol, keeping kept: Any) {
    self.init(keeping: kept) { count in send(count, to: bus) }
  }
}

/// Events to subscribers of `events`.
func addStreamRows(to program: PeerProgram) {
  program.addSending("sink") { slots in
    let bus = LifecycleBus()
    return SendingFixture(bus, keeping: sinks(bus, slots))
  }
  program.addSending("sink-nonisolated") { slots in
    let bus = NonisolatedLifecycleBus()
    return SendingFixture(bus, keeping: sinks(bus, slots))
  }
  program.addSending("sink-main-actor") { slots in
    let bus = LifecycleBus()
    return SendingFixture(bus, keeping: MainActor.assumeIsolated { mainActorSinks(bus, slots) })
  }
  program.addSending("subscriber") { slots in
    let bus = LifecycleBus()
    for slot in slots { bus.events.subscribe(CountingSubscriber(slot)) }
    return SendingFixture(bus, keeping: bus)
  }
}

/// Sinks in nonisolated code, so that the compiler adds no check of the main actor to each call: like
/// the peers' sinks.
func sinks(_ bus: some LifecycleBusProtocol, _ slots: [CallSlot]) -> LifecycleScope {
  let scope = LifecycleScope()
  for slot in slots { bus.events.sink { _ in slot.increment() }.store(in: scope) }
  return scope
}

/// Sinks in main-actor code.
@MainActor
private func mainActorSinks(_ bus: LifecycleBus, _ slots: [CallSlot]) -> LifecycleScope {
  let scope = LifecycleScope()
  for slot in slots { bus.events.sink { _ in slot.increment() }.store(in: scope) }
  return scope
}
