import CustomDump
import LifecycleBackgroundWork
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// Random scripts in virtual time, with real tasks or a coarse publisher in their place, compared
/// with a model that knows only deadlines.
///
/// A failure names its seed; `LIFECYCLE_SEED=1234 swift test --filter DutyCycle` runs that seed
/// alone.
@MainActor
@Suite("Duty cycle: random scripts")
struct DutyCycleRandomTests {
  /// What a cycle of bursts of 3 within 15 s, of which the last is handed out, and rests of 10 s
  /// does.
  struct Model {
    var isInBackground = false
    var now = 0
    var count = 0
    var held: Int?
    /// When the burst's time is up.
    var burstEnd: Int?
    /// When the rest is over.
    var deadline: Int?
    var isOver = false
    var subscribed = 0
    var rests = 0

    mutating func value(_ number: Int) -> [String] {
      guard deadline == nil, !isOver else { return [] }
      guard isInBackground else { return ["\(number)"] }
      count += 1
      held = number
      if count == 1 { burstEnd = now + 15 }
      guard count == 3 else { return [] }
      return endRest(beginning: true)
    }

    private mutating func endRest(beginning: Bool) -> [String] {
      defer { held = nil }
      count = 0
      burstEnd = nil
      deadline = beginning ? now + 10 : nil
      if beginning { rests += 1 }
      return beginning ? ["\(held!)"] : []
    }

    mutating func move(by seconds: Int) -> [String] {
      var lines: [String] = []
      for _ in 0..<seconds {
        if deadline == nil, !isOver { subscribed += 1 }
        now += 1
        lines += end()
      }
      return lines
    }

    /// What was due meanwhile ends when the device wakes up.
    mutating func sleep(for seconds: Int) -> [String] {
      if deadline == nil { subscribed += seconds }
      now += seconds
      return end()
    }

    /// Ends what is due.
    private mutating func end() -> [String] {
      if let deadline, deadline <= now { return endRest(beginning: false) }
      if let burstEnd, burstEnd <= now { return endRest(beginning: true) }
      return []
    }

    mutating func enter(background: Bool) -> [String] {
      guard background != isInBackground else { return [] }
      isInBackground = background
      guard !background else {
        count = 0
        burstEnd = nil
        return []
      }
      defer { _ = endRest(beginning: false) }
      return held.map { ["\($0)"] } ?? []
    }

    mutating func expire() { if deadline != nil { _ = endRest(beginning: false) } }
  }

  @Test("Random scripts in virtual time agree with a model of deadlines")
  func randomScripts() {
    var rests = 0
    for seed in seeds(600) {
      var random = Generator(seed, 0, 0)
      let cycle = DutyCycle(burst: 3, within: .seconds(15), rest: .seconds(10))
      let isCoarse = seed.isMultiple(of: 3)
      let stage = DutyCycleStage(
        cycle,
        hasCoarsePublisher: isCoarse,
        onAnyThread: seed.isMultiple(of: 2)
      )
      var model = Model()
      var log: [String] = []
      for number in 1...60 {
        var expected: [String] = []
        switch random.next(below: 16) {
        case 0..<8:
          log.append("value \(number)")
          expected = model.value(number)
          if stage.upstream[stage.upstream.count].isLive { stage.send(number) }
        case 8, 9:
          log.append("background")
          expected = model.enter(background: true)
          stage.bus.send(.didEnterBackground)
        case 10:
          log.append("foreground")
          expected = model.enter(background: false)
          stage.bus.send(.didBecomeActive)
        case 11:
          log.append("expire")
          if !isCoarse { model.expire() }
          stage.host.expire()
        case 12:
          log.append("sleep 25")
          expected = model.sleep(for: 25)
          stage.clock.sleepDevice(for: .seconds(25))
        default:
          let seconds = random.next(below: 7) + 1
          log.append("move \(seconds)")
          expected = model.move(by: seconds)
          stage.clock.advance(by: .seconds(seconds))
        }
        let values = stage.take().filter { Int($0) != nil }
        let coarse = stage.coarse?.liveCount
        let state =
          "tasks \(coarse ?? stage.tasks.grantedTasks.count), upstream \(stage.upstream.liveCount)"
        let resting = model.deadline == nil ? 0 : 1
        let on = Int(stage.meter.subscribedDuration.components.seconds)
        let begun =
          stage.coarse?.count ?? stage.host.operations.count { $0 == .began("duty cycle") }
        let said = values + [state, "on \(on)", "rests \(begun)"]
        let rules =
          expected + [
            "tasks \(resting), upstream \(1 - resting)", "on \(model.subscribed)",
            "rests \(model.rests)",
          ]
        guard said != rules else { continue }
        expectNoDifference(said, rules, "LIFECYCLE_SEED=\(seed), after \(log)")
        break
      }
      rests += model.rests
      stage.downstream.cancel()
      stage.host.expectNoOpenTasks()
      if isCoarse { expectNoDifference(stage.host.operations, []) }
      expectNoDifference(stage.clock.timerCount, 0)
    }
    #expect(rests > 600 || seeds(600).count == 1)
  }
}
