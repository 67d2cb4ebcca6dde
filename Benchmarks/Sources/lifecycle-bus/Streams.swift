import BenchmarkSupport
import OpenCombineShim
import ReactiveLifecycle

/// Events to subscribers of `events`.
func addStreamRows(to program: PeerProgram) {
  // In nonisolated code, so that the compiler adds no check of the main actor to each call: like
  // the peers' sinks.
  program.addSending("sink") { slots in
    let bus = LifecycleBus()
    let scope = LifecycleScope()
    for slot in slots { bus.events.sink { _ in slot.increment() }.store(in: scope) }
    return SendingFixture(bus, keeping: scope)
  }
  program.addSending("sink-nonisolated") { slots in
    let bus = NonisolatedLifecycleBus()
    let scope = LifecycleScope()
    for slot in slots { bus.events.sink { _ in slot.increment() }.store(in: scope) }
    return SendingFixture(bus, keeping: scope)
  }
  program.addSending("sink-main-actor") { slots in
    let bus = LifecycleBus()
    return SendingFixture(bus, keeping: MainActor.assumeIsolated { sink(bus, slots) })
  }
  program.addSending("subscriber") { slots in
    let bus = LifecycleBus()
    for slot in slots { bus.events.subscribe(CountingSubscriber(slot)) }
    return SendingFixture(bus, keeping: bus)
  }
}

/// Sinks in main-actor code.
@MainActor
func sink(_ bus: LifecycleBus, _ slots: [CallSlot]) -> LifecycleScope {
  let scope = LifecycleScope()
  for slot in slots { bus.events.sink { _ in slot.increment() }.store(in: scope) }
  return scope
}
