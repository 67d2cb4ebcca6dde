import LifecycleBackgroundWork
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@MainActor
@Suite("Marble diagrams of the operators")
struct MarbleTests {
  @Test("Stand in the documentation, line for line", arguments: MarbleDiagram.all)
  func isDocumented(_ diagram: MarbleDiagram) throws {
    #expect(try diagram.isDocumented())
  }

  @Test("Gate", arguments: BusKind.allCases, [".drop", ".latest", ".all"])
  func gateDiagramsAreRun(_ kind: BusKind, _ row: String) {
    let run = MarbleRun(.gate, kind)
    let buffering: Publishers.LifecycleGateBuffering =
      switch row {
      case ".drop": .drop
      case ".latest": .latest
      default: .all(limit: 10, whenFull: .dropOldest)
      }
    run.play(
      run.upstream.gate(.atLeast(.active), of: run.bus, buffering: buffering),
      result: row
    )
  }

  @Test("While phase", arguments: BusKind.allCases)
  func whilePhase(_ kind: BusKind) {
    let run = MarbleRun(.whilePhase, kind)
    run.play(run.upstream.whilePhase(.atLeast(.active), of: run.bus))
  }

  @Test("Prefix until", arguments: BusKind.allCases)
  func prefixUntil(_ kind: BusKind) {
    let run = MarbleRun(.prefix, kind)
    run.bus.send(.didBecomeActive)
    run.play(run.upstream.prefix(until: [.didEnterBackground, .willTerminate], of: run.bus))
  }

  @Test("With phase", arguments: BusKind.allCases)
  func withPhase(_ kind: BusKind) {
    let run = MarbleRun(.withPhase, kind)
    run.play(run.upstream.withPhase(of: run.bus).map { "(\($0.value), \($0.phase))" })
  }

  @Test("Settle", arguments: BusKind.allCases)
  func settleDiagramsAreRun(_ kind: BusKind) {
    let run = MarbleRun(.settle, kind)
    run.play(
      run.bus.phases.settle(for: .seconds(2)).map(\.rawValue),
      tick: .milliseconds(100),
      result: "settled"
    )
  }

  @Test("Duty cycle", arguments: BusKind.allCases)
  func dutyCycle(_ kind: BusKind) {
    let run = MarbleRun(.dutyCycle, kind)
    let host = InMemoryBackgroundTaskHost(clock: run.clock, remainingTime: nil)
    let tasks = BackgroundTaskCoordinator(host: host)
    let cycle = DutyCycle(burst: 3, rest: .seconds(12))
    var seen = 0
    run.play(run.upstream.dutyCycle(cycle, of: run.bus, tasks: tasks)) {
      for operation in host.operations.dropFirst(seen) {
        run.record(operation == .began("duty cycle") ? "╞" : "╡", in: "task")
        seen += 1
      }
    }
  }
}
