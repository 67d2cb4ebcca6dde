import CustomDump
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("Threads: exit requests")
@MainActor
struct ExitRequestThreadTests {
  @Test(
    "Threads request while observers come, go, and time runs out: each request has one outcome",
    arguments: BusKind.allCases
  )
  func eachRequestHasOneOutcome(_ kind: BusKind) async {
    let clock = ManualClock()
    let bus = kind.make(clock: clock)
    let running = Counter()
    let staying = bus.onExitRequest(line: 1) { _ in
      #expect(running.add() == 1, "asked twice at a time")
      await Task.yield()
      running.subtract()
      return .exit
    }
    for round in 1...100 {
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          for number in 1...5 as ClosedRange<UInt> {
            let scope = LifecycleScope()
            bus.onExitRequest(in: scope, line: 10 + number) { _ in
              await Task.yield()
              return number.isMultiple(of: 2) ? .cancel : .exit
            }
            await Task.yield()
            scope.end()
          }
        }
        group.addTask {
          for _ in 1...5 {
            clock.advance(by: .seconds(1))
            await Task.yield()
          }
        }
        for number in 1...4 {
          group.addTask {
            let timeout: Duration? = number.isMultiple(of: 2) ? .seconds(2) : nil
            let task = Task { await bus.requestExit(timeout: timeout) }
            if round.isMultiple(of: 3) && number == 1 { task.cancel() }
            let outcome = await task.value
            for location in outcome.cancelledBy { #expect(location.line! > 10) }
            if timeout == nil && !task.isCancelled { #expect(outcome.unanswered.isEmpty) }
          }
        }
      }
    }
    let outcome = await bus.requestExit()
    expectNoDifference(outcome, LifecycleExitOutcome())
    expectNoDifference(bus.liveSubscriptions.count, 1)
    staying.cancel()
  }
}
