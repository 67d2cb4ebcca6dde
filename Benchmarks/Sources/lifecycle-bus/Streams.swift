import BenchmarkSupport
import OpenCombineShim
import ReactiveLifecycle

/// Events to subscribers of `events`.
func addStreamRows(to program: PeerProgram) {
  program.addSending("sink") { slots in
    let bus = LifecycleBus()
    return SendingFixture(bus, keeping: MainActor.assumeIsolated { sink(bus, slots) })
  }
  // In nonisolated code, so that the compiler adds no check of the main actor to each call: like
  // the other peers' sinks.
  program.addSending("sink-nonisolated") { slots in
    let bus = NonisolatedLifecycleBus()
    let scope = LifecycleScope()
    for slot in slots { bus.events.sink { _ in slot.increment() }.store(in: scope) }
    return SendingFixture(bus, keeping: scope)
  }
  program.addSending("subscriber") { slots in
    let bus = LifecycleBus()
    for slot in slots { bus.events.subscribe(CountingSubscriber(slot)) }
    return SendingFixture(bus, keeping: bus)
  }
}

/// Sinks as users write them: in main-actor code.
@MainActor
func sink(_ bus: LifecycleBus, _ slots: [CallSlot]) -> LifecycleScope {
  let scope = LifecycleScope()
  for slot in slots { bus.events.sink { _ in slot.increment() }.store(in: scope) }
  return scope
}
