import CustomDump
import LifecycleCombine
import LifecycleCountdowns
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// What countdowns are asked from inside a tick.
@Suite("Countdown: from inside a tick")
@MainActor
struct CountdownReentrancyTests {
  /// Two countdowns of one bus, traced, and what one of them does in a tick.
  private final class Pair: @unchecked Sendable {
    let stage: CountdownStage
    var first: Countdown?
    var second: Countdown?
    private var sinks: [AnyCancellable] = []

    init(_ kind: BusKind, _ firstSeconds: Double = 3, _ secondSeconds: Double = 3) {
      stage = CountdownStage(kind)
      first = stage.countdown(firstSeconds)
      second = stage.countdown(secondSeconds)
    }

    func follow(at line: String, _ action: @escaping (Pair) -> Void) {
      follow(first!, "first", line, action)
      follow(second!, "second", nil) { _ in }
      first!.start()
      second!.start()
      _ = stage.trace.take()
    }

    private func follow(
      _ countdown: Countdown,
      _ name: String,
      _ line: String?,
      _ action: @escaping (Pair) -> Void
    ) {
      countdown.states.sink(
        receiveCompletion: { [stage] _ in stage.trace("\(name) ended") },
        receiveValue: { [unowned self] state in
          stage.trace("\(name) \(state.line)")
          guard state.line == line else { return }
          action(self)
          stage.trace("-")
        }
      )
      .store(in: &sinks)
    }

    func leave() { sinks = [] }
  }

  private func run(
    _ kind: BusKind,
    at line: String,
    pass seconds: Double = 10,
    firstSeconds: Double = 3,
    secondSeconds: Double = 3,
    _ action: @escaping (Pair) -> Void
  ) -> [String] {
    let pair = Pair(kind, firstSeconds, secondSeconds)
    pair.follow(at: line, action)
    pair.stage.pass(seconds)
    pair.leave()
    pair.first = nil
    pair.second = nil
    expectNoDifference(pair.stage.clock.timerCount, 0)
    return pair.stage.trace.take()
  }

  @Test("A countdown does as it is asked in its own tick", arguments: BusKind.allCases)
  func actsInItsOwnTick(_ kind: BusKind) {
    expectNoDifference(
      run(kind, at: "running 2", secondSeconds: 0) { $0.first?.cancel() },
      ["first running 2", "-", "first idle 3"]
    )
    expectNoDifference(
      run(kind, at: "running 2", secondSeconds: 0) { $0.first?.pause() },
      ["first running 2", "-", "first paused 2"]
    )
    expectNoDifference(
      run(kind, at: "running 1", secondSeconds: 0) { $0.first?.extend(by: .seconds(0.5)) },
      ["first running 2"]
        + (0..<17).flatMap { _ in ["first running 1", "-", "first running 1.5"] }
    )
    expectNoDifference(
      run(kind, at: "running 1", secondSeconds: 0) { $0.first?.extend(by: .seconds(-5)) },
      ["first running 2", "first running 1", "-", "first finished 0"]
    )
    expectNoDifference(
      run(kind, at: "running 2", secondSeconds: 0) { $0.first = nil },
      ["first running 2", "-", "first ended"]
    )
  }

  @Test("A countdown starts anew from its end, for as long as it is asked to")
  func countdownStartsAnewFromItsEnd() {
    let lines = run(.nonisolated, at: "finished 0", firstSeconds: 2, secondSeconds: 0) {
      $0.stage.clock.continuous < .boot + .seconds(3605) ? $0.first?.restart() : $0.first?.cancel()
    }
    let round = ["first running 1", "first finished 0", "-", "first running 2"]
    expectNoDifference(lines, round + round + Array(round.dropLast()) + ["first idle 2"])
  }

  @Test("One countdown acts on another that is due in the same moment", arguments: BusKind.allCases)
  func actsOnAnotherInTheSameMoment(_ kind: BusKind) {
    let before = ["first running 2", "second running 2", "first running 1", "second running 1"]
    func run(_ action: @escaping (Pair) -> Void) -> [String] {
      self.run(kind, at: "finished 0", action)
    }
    // The end of the second one has come: it is noted before anything else is done.
    let both = before + ["first finished 0", "-", "second finished 0"]
    expectNoDifference(run { _ in }, both)
    expectNoDifference(run { $0.second?.cancel() }, both + ["second idle 3"])
    expectNoDifference(run { $0.second?.pause() }, both)
    expectNoDifference(run { $0.second?.extend(by: .seconds(1)) }, both)
    expectNoDifference(
      run { $0.second?.restart() },
      both + ["second running 3", "second running 2", "second running 1", "second finished 0"]
    )
    // Nobody is left who could have finished.
    expectNoDifference(run { $0.second = nil }, before + ["first finished 0", "-", "second ended"])
  }

  @Test("A countdown that was cancelled before the moment is silent in it")
  func countdownCancelledBeforeMomentIsSilentInIt() {
    let lines = run(.nonisolated, at: "running 1", secondSeconds: 2) { $0.second?.cancel() }
    expectNoDifference(
      lines,
      [
        "first running 2", "second running 1", "first running 1", "-", "second finished 0",
        "second idle 2", "first finished 0",
      ]
    )
    let early = run(.nonisolated, at: "running 2", secondSeconds: 1.5) { $0.second?.cancel() }
    expectNoDifference(
      early,
      ["second running 1", "first running 2", "-", "second idle 1.5", "first running 1"]
        + ["first finished 0"]
    )
  }

  @Test("Those that end together finish in the order of their start", arguments: BusKind.allCases)
  func finishInOrderOfStart(_ kind: BusKind) {
    let stage = CountdownStage(kind)
    let countdowns = (0..<6).map { number in
      let countdown = stage.countdown(5, tickInterval: nil)
      stage.follow(countdown, "\(number)")
      return countdown
    }
    for number in [3, 1, 4, 0, 5, 2] { countdowns[number].start() }
    countdowns[1].restart()
    // It keeps its place in the order when it goes on.
    countdowns[4].pause()
    countdowns[4].resume()
    _ = stage.trace.take()
    for isAway in [false, true] {
      if isAway {
        for number in [3, 4, 0, 5, 2, 1] { countdowns[number].restart() }
        stage.enterBackground()
        _ = stage.trace.take()
      }
      stage.pass(5)
      if isAway { stage.enterForeground() }
      expectNoDifference(stage.trace.take(), [3, 4, 0, 5, 2, 1].map { "\($0) finished 0" })
    }
  }

  @Test("A tick may move the clock, and the bus", arguments: BusKind.allCases)
  func movesTheWorld(_ kind: BusKind) {
    let pair = Pair(kind, 5, 5)
    pair.follow(at: "running 4") { pair in
      pair.stage.pass(2)
      pair.stage.enterBackground()
      pair.stage.pass(1)
      pair.stage.enterForeground()
    }
    pair.stage.pass(1)
    expectNoDifference(
      pair.stage.trace.take(),
      ["first running 4", "-", "second running 4", "first running 1", "second running 1"]
    )
    pair.stage.pass(9)
    expectNoDifference(pair.stage.trace.take(), ["first finished 0", "second finished 0"])
    pair.leave()
  }
}
