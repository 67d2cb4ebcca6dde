import CustomDump
import LifecycleCombine
import ReactiveLifecycle
import Testing

@Suite("Samples of the operators run")
@MainActor
struct OperatorSampleRuns {
  private let samples = OperatorSamples()

  @Test("The diagrams of the article are those of the operators")
  func diagrams() throws {
    let diagrams = try textBlocks(of: "Operators")
    expectNoDifference(diagrams.count, 5)
    let comments = try documentationComments(below: "Sources/ReactiveLifecycle/Operators")
    for diagram in diagrams {
      #expect(
        comments.contains { $0.contains(diagram) },
        "in no comment:\n\(diagram.joined(separator: "\n"))"
      )
    }
  }

  @Test("A gate holds the latest price")
  func gateAtLeast() {
    samples.gateAtLeast()
    for price in 1...3 { samples.prices.send(price) }
    samples.bus.send(.didBecomeActive)
    samples.prices.send(4)
    expectNoDifference(samples.output, ["show 3", "show 4"])
    samples.scope.end()
  }

  @Test("A gate holds uploads until the process is in the background")
  func gateAtMost() {
    samples.bus.send(.didBecomeActive)
    samples.gateAtMost()
    samples.uploads.send("a")
    samples.uploads.send("b")
    expectNoDifference(samples.output, [])
    samples.bus.send(.didEnterBackground)
    expectNoDifference(samples.output, ["start a", "start b"])
    samples.scope.end()
  }

  @Test("Locations are asked for while the process is active")
  func whilePhaseAtLeast() {
    samples.whilePhaseAtLeast()
    samples.location.updates.send("nowhere")
    samples.bus.send(.didBecomeActive)
    samples.location.updates.send("here")
    samples.bus.send(.willResignActive)
    samples.location.updates.send("there")
    expectNoDifference(samples.output, ["show here"])
    samples.scope.end()
  }

  @Test("The heart beats in the background")
  func whilePhaseAtMost() {
    samples.whilePhaseAtMost()
    samples.bus.send(.didBecomeActive)
    samples.heartbeat.send(2)
    samples.bus.send(.didEnterBackground)
    samples.heartbeat.send(3)
    expectNoDifference(samples.output, ["report 1", "report 2", "report 3"])
    samples.scope.end()
  }

  @Test("Keystrokes are inserted until the process leaves, and then saved")
  func prefixUntil() {
    samples.bus.send(.didBecomeActive)
    samples.prefixUntil()
    samples.keystrokes.send("x")
    samples.bus.send(.didEnterBackground)
    samples.keystrokes.send("y")
    expectNoDifference(samples.output, ["insert x", "save"])
    samples.scope.end()
  }

  @Test("Requests are logged with the phase")
  func withPhase() {
    samples.withPhase()
    samples.requests.send("GET /")
    samples.bus.send(.didBecomeActive)
    samples.requests.send("GET /news")
    expectNoDifference(
      samples.output,
      ["GET /, foreground: false", "GET /news, foreground: true"]
    )
    samples.scope.end()
  }
}
