import CustomDump
import LifecycleCombine
import LifecycleCountdowns
import ReactiveLifecycle
import TestSupport
import Testing

/// What becomes of a tick that one of several subscribers makes pointless.
@Suite("Countdown: silent once it is cancelled")
@MainActor
struct CountdownSilenceTests {
  private final class Subject: @unchecked Sendable {
    let stage: CountdownStage
    var countdown: Countdown?
    var sinks: [AnyCancellable] = []

    init(_ kind: BusKind) {
      stage = CountdownStage(kind)
      countdown = stage.countdown(5)
    }

    /// Has the second of three subscribers do something in a state.
    func follow(at line: String, _ action: @escaping (Subject) -> Void) {
      for name in ["a", "b", "c"] {
        countdown!.states.sink(
          receiveCompletion: { [stage] _ in stage.trace("\(name) ended") },
          receiveValue: { [unowned self] state in
            stage.trace("\(name) \(state.line)")
            if name == "b", state.line == line { action(self) }
          }
        )
        .store(in: &sinks)
      }
      countdown!.start()
      _ = stage.trace.take()
    }
  }

  private func run(
    _ kind: BusKind,
    at line: String,
    pass seconds: Double,
    _ action: @escaping (Subject) -> Void
  ) -> [String] {
    let subject = Subject(kind)
    subject.follow(at: line, action)
    subject.stage.pass(seconds)
    return subject.stage.trace.take()
  }

  private func all(_ line: String) -> [String] { ["a", "b", "c"].map { "\($0) \(line)" } }

  @Test(
    "A tick in which one subscriber cancels is not told to the rest",
    arguments: BusKind.allCases
  )
  func cancelledInATick(_ kind: BusKind) {
    expectNoDifference(
      run(kind, at: "running 4", pass: 3) { $0.countdown?.cancel() },
      ["a running 4", "b running 4"] + all("idle 5")
    )
    expectNoDifference(
      run(kind, at: "running 4", pass: 2) {
        $0.countdown?.cancel()
        $0.countdown?.start()
      },
      ["a running 4", "b running 4"] + all("idle 5") + all("running 5")
        + all("running 4")
        .prefix(2) + all("idle 5") + all("running 5")
    )
  }

  @Test("Nor one in which it is started anew, or released", arguments: BusKind.allCases)
  func restartedOrReleasedInATick(_ kind: BusKind) {
    expectNoDifference(
      run(kind, at: "running 3", pass: 2) { $0.countdown?.restart() },
      all("running 4") + ["a running 3", "b running 3"] + all("running 5")
    )
    expectNoDifference(
      run(kind, at: "running 4", pass: 3) { $0.countdown = nil },
      ["a running 4", "b running 4"] + all("ended")
    )
  }

  @Test(
    "A tick in which it is paused or extended has happened, and so has an end",
    arguments: BusKind.allCases
  )
  func goesOn(_ kind: BusKind) {
    expectNoDifference(
      run(kind, at: "running 4", pass: 1) { $0.countdown?.pause() },
      all("running 4") + all("paused 4")
    )
    expectNoDifference(
      run(kind, at: "running 4", pass: 1) { $0.countdown?.extend(by: .seconds(2)) },
      all("running 4") + all("running 6")
    )
    expectNoDifference(
      run(kind, at: "finished 0", pass: 5) { $0.countdown?.cancel() }.suffix(6),
      (all("finished 0") + all("idle 5"))[...]
    )
  }

  @Test("The tick of a return is a tick", arguments: BusKind.allCases)
  func inAReturn(_ kind: BusKind) {
    let subject = Subject(kind)
    subject.follow(at: "running 3") { $0.countdown?.cancel() }
    subject.stage.enterBackground()
    subject.stage.pass(2)
    subject.stage.enterForeground()
    expectNoDifference(
      subject.stage.trace.take(),
      ["a running 3", "b running 3"] + all("idle 5")
    )
  }

  @Test("A tick that a registration brought about is dropped, too", arguments: BusKind.allCases)
  func inAJoin(_ kind: BusKind) {
    let subject = Subject(kind)
    let other = subject.stage.countdown(5)
    // Due with the other, but told after it.
    subject.stage.follow(other, "other")
    var sinks: [AnyCancellable] = []
    let trace = subject.stage.trace
    let sink = other.states.sink { state in
      guard state.line == "running 4" else { return }
      sinks.append(subject.countdown!.states.sink { trace("d \($0.line)") })
      subject.countdown?.cancel()
    }
    other.start()
    subject.follow(at: "") { _ in }
    subject.stage.pass(1)
    let lines = trace.take()
    #expect(!lines.contains("a running 4") && !lines.contains("c running 4"), "\(lines)")
    expectNoDifference(lines.filter { $0.hasPrefix("a") }, ["a idle 5"])
    sink.cancel()
    sinks = []
  }
}
