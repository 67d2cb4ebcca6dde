import LifecycleBackgroundWork
import ReactiveLifecycle
import Synchronization

/// Tasks that wait for a bus, until it ends at the latest.
extension World {
  func wait(for bus: some LifecycleBusProtocol) {
    run { [faults] in
      do {
        try await bus.waitUntil(.atLeast(.active))
      } catch {
        faults.check(.features, error is LifecycleBusEndedError, "\(error)")
      }
    }
  }

  func iterate(_ observed: ObservedBus) {
    let check = check(.sequence, of: observed)
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
        .features,
        !report.handlers.isEmpty || observed.hasEnded,
        "fetch \(report.number) asked no handler"
      )
      scope.end()
    }
  }

  /// Enqueues a job, and runs those that are waiting.
  func deferWork() {
    let runs = SharedCount()
    let canary = Canary(census)
    deferredWork.enqueue("job") { [faults] in
      runs.add(1)
      withExtendedLifetime(canary) {
        faults.check(.features, runs.value == 1, "a job ran \(runs.value) times")
      }
    }
    run { [deferredWork] in await deferredWork.runJobs() }
  }

  /// Adds an observer of exit requests to each bus.
  func answerExitRequests(_ name: String) {
    for observed in buses {
      let calls = SharedCount()
      let canary = canary(of: observed)
      observed.bus.onExitRequest(in: scope, id: name) { [faults] _ in
        calls.add(1)
        let running = calls.value
        await Task.yield()
        calls.add(-1)
        return withExtendedLifetime(canary) {
          faults.check(.features, running == 1, "an observer is asked \(running) times at once")
          return .cancel
        }
      }
    }
  }

  func requestExit(of bus: some LifecycleBusProtocol) {
    run { [faults] in
      let outcome = await bus.requestExit()
      faults.check(.features, outcome.unanswered.isEmpty, "\(outcome) without a time limit")
    }
  }
}
