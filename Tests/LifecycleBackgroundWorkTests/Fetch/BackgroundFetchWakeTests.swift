import CustomDump
import LifecycleBackgroundWork
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("Background fetch: the device wakes, and the end has come")
@MainActor
struct BackgroundFetchWakeTests {
  @Test("When the device wakes, fetches that are due have failed, and no others")
  func deviceWakes() {
    let stage = BackgroundFetchStage()
    stage.add("inbox")
    let late = "told 1 failed 10 s: inbox failed (no answer by the deadline) 10 s"
    // Comes before the timers of the fetches, as they have the same deadline.
    let timer = stage.clock.schedule(at: stage.clock.continuous + .seconds(10)) {
      MainActor.assumeIsolated {
        stage.bus.send(.systemDidWake)
        expectNoDifference(stage.trace.take(), ["inbox runs", "inbox cancelled", late])
      }
    }
    stage.begin(deadline: .seconds(10))
    stage.clock.advance(by: .seconds(9))
    stage.bus.send(.systemDidWake)
    expectNoDifference(stage.trace.lines, ["inbox runs"])
    // It has no deadline before it begins.
    let run = stage.fetches.core.makeRun()
    run.whenConcluded { [trace = stage.trace] in trace("told \($0.line)") }
    stage.clock.advance(by: .seconds(1))
    stage.fetches.core.begin(run, deadline: .seconds(5))
    stage.clock.advance(by: .zero)
    expectNoDifference(stage.trace.lines, ["inbox runs"])
    stage.answer("inbox", .newData, 1)
    expectNoDifference(stage.trace.lines.last, "told 2 newData 1 s: inbox newData 1 s")
    withExtendedLifetime(timer) {}
  }

  @Test("After the end of the bus no handler is added, and a subscriber gets no report")
  func afterEndOfBus() {
    let stage = BackgroundFetchStage()
    stage.bus.send(.willTerminate)
    let released = Trace()
    stage.fetches.addHandler(named: "inbox", in: stage.scope) {
      [canary = Canary { released("released") }] in
      canary.sing()
      return .newData
    }
    expectNoDifference(released.lines, ["released"])
    let reports = LifecycleRecorder(stage.fetches.reports, of: stage.bus)
    stage.begin()
    expectNoDifference(stage.trace.lines, ["told 1 failed 0 s: "])
    expectNoDifference(reports.elements.map(\.line), [])
    expectNoDifference(reports.completion, .finished)
  }

  /// A host that is a value.
  private struct ValueHost: BackgroundFetchHost {
    let name: String
    let trace: Trace

    func setMinimumInterval(_ interval: Duration?) {
      trace("\(name): \(interval?.text ?? "never")")
    }

    func setFetchHandler(_ handler: (@Sendable (BackgroundFetchRequest) -> Void)?) {
      trace("\(name): \(handler == nil ? "no handler" : "handler")")
    }
  }

  @Test("Hosts may be values, and receive the interval in the order of their connections")
  func hostsThatAreValues() {
    let stage = BackgroundFetchStage()
    let names = ["a", "b", "c"]
    let connections = names.map { name in
      stage.fetches.connect(ValueHost(name: name, trace: stage.trace))
    }
    expectNoDifference(stage.trace.take(), names.map { "\($0): handler" })
    stage.fetches.setMinimumInterval(.after(.seconds(900)))
    expectNoDifference(stage.trace.take(), names.map { "\($0): 900 s" })
    connections[1].cancel()
    expectNoDifference(stage.trace.take(), ["b: no handler"])
    stage.fetches.setMinimumInterval(.never)
    expectNoDifference(stage.trace.take(), ["a: never", "c: never"])
  }
}
