import LifecycleBackgroundWork
import ReactiveLifecycle

/// What waits for a bus, until it ends at the latest.
extension World {
  func wait(for bus: some LifecycleBusProtocol) {
    run { [faults] in
      do {
        try await bus.waitUntil(.atLeast(.active))
      } catch {
        faults.check(error is LifecycleBusEndedError, "\(error)")
      }
    }
  }

  func iterate(_ observed: ObservedBus) {
    let check = check("sequence", of: observed)
    let events = check.registering { observed.bus.events.asyncSequence() }
    run {
      for await event in events { check.receive(event) }
    }
  }

  /// Fetches on one of the buses.
  func fetch(_ index: Int) {
    let (coordinator, observed) = (fetches[index], buses[index])
    run { [faults] in
      let scope = LifecycleScope("fetch")
      coordinator.addHandler(named: "soak", in: scope) { .newData }
      let report = await coordinator.performFetch(deadline: .seconds(60))
      faults.check(
        !report.handlers.isEmpty || observed.hasEnded,
        "fetch \(report.number) asked no handler"
      )
      scope.end()
    }
  }
}
