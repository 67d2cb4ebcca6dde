import CustomDump
import LifecycleTesting
import TestSupport
import Testing

@testable import ReactiveLifecycle

/// What a bus remembers; `PhaseHistoryTests` test how it is kept.
@MainActor
@Suite("The history of a bus")
struct BusHistoryTests {
  private let clock = ManualClock()

  /// A moment, in seconds from the beginning of a manual clock.
  private func at(_ seconds: Int) -> ContinuousInstant { .boot + .seconds(3600 + seconds) }

  private func instant(movedBy seconds: Int) -> LifecycleInstant {
    var instant = clock.now
    instant.continuous += .seconds(seconds)
    return instant
  }

  @Test("A boundary belongs to the new phase; the last phase lasts until now and no longer")
  func boundaryBelongsToNewPhase() {
    let lifecycle = ScriptedLifecycle()
    let bus = lifecycle.bus
    expectNoDifference(bus.historyStart, nil)
    expectNoDifference(bus.foregroundDuration(during: at(0)..<at(5)), nil)
    lifecycle.perform(
      .launch,
      .becomeActive,
      .advance(by: .seconds(10)),
      .resignActive,
      .advance(by: .seconds(1)),
      .send(.systemDidWake),
      .duplicate(.willResignActive),
      .enterBackground,
      .sleepDevice(for: .seconds(20)),
      .setWallClock(by: .seconds(-86_400)),
      .stopProcess(for: .seconds(5))
    )
    expectNoDifference(bus.historyStart, at(0))
    expectNoDifference(bus.phase(at: at(0) - .nanoseconds(1)), nil)
    expectNoDifference(bus.phase(at: at(10) - .nanoseconds(1)), .active)
    expectNoDifference(bus.phase(at: at(10)), .inactive)
    expectNoDifference(bus.phase(at: at(11)), .background)
    expectNoDifference(bus.phase(at: at(36)), .background)
    expectNoDifference(bus.phase(at: at(36) + .nanoseconds(1)), nil)
    expectNoDifference(bus.foregroundDuration(during: at(0)..<at(36)), .seconds(11))
    expectNoDifference(bus.backgroundDuration(during: at(11)..<at(3600)), .seconds(25))
    lifecycle.perform(.advance(by: .seconds(4)))
    expectNoDifference(bus.backgroundDuration(during: at(11)..<at(3600)), .seconds(29))
  }

  @Test("The instants of the events count, not when they were sent")
  func instantsOfEventsCount() {
    let bus = LifecycleBus(clock: clock)
    bus.send(.didBecomeActive)
    clock.advance(by: .seconds(10))
    bus.send(.didEnterBackground, at: instant(movedBy: -4))
    expectNoDifference(bus.phase(at: at(5)), .active)
    expectNoDifference(bus.phase(at: at(6)), .background)
    // Earlier than what is known: at the same instant, which that takes for itself.
    bus.send(.willEnterForeground, at: instant(movedBy: -9))
    expectNoDifference(bus.phase(at: at(5)), .active)
    expectNoDifference(bus.phase(at: at(6)), .inactive)
    // In the future: it begins there.
    bus.send(.didEnterBackground, at: instant(movedBy: 5))
    expectNoDifference(bus.phase, .background)
    expectNoDifference(bus.phase(at: at(10)), .inactive)
    clock.advance(by: .seconds(6))
    expectNoDifference(bus.foregroundDuration(during: at(0)..<at(20)), .seconds(15))
    expectNoDifference(bus.backgroundDuration(during: at(0)..<at(20)), .seconds(1))
  }

  @Test("Phases count from their delivery on, those that a source's end brings included")
  func phasesCountFromTheirDeliveryOn() throws {
    let bus = LifecycleBus(clock: clock)
    let source = TestSource()
    let connection = try bus.connect(source, as: .participant("scene"))
    var phases: [LifecyclePhase?] = []
    let token = bus.addObserver { [clock, unowned bus] event in
      if event.kind == .didBecomeActive { bus.send(.didEnterBackground) }
      phases.append(bus.phase(at: clock.continuous))
    }
    bus.send(.didBecomeActive)
    expectNoDifference(phases, [.background, .inactive, .active, .inactive, .background])
    clock.advance(by: .seconds(1))
    source.feed.send(.willEnterForeground)
    clock.advance(by: .seconds(2))
    connection.cancel()
    clock.advance(by: .seconds(4))
    expectNoDifference(bus.foregroundDuration(during: at(0)..<at(7)), .seconds(2))
    expectNoDifference(bus.backgroundDuration(during: at(0)..<at(7)), .seconds(5))
    token.cancel()
  }

  @Test("What is left of a released bus remembers, what its release delivered included")
  func releasedBusRemembers() {
    let box = UncheckedBox(LifecycleBus(clock: clock))
    let core = box.value!.core
    box.value!.send(.didBecomeActive)
    clock.advance(by: .seconds(3))
    onOtherThread { _ = box.value!.send(.didEnterBackground) }
    box.value = nil
    clock.advance(by: .seconds(2))
    expectNoDifference(core.historyStart, at(0))
    expectNoDifference(core.phase(at: at(3)), .background)
    expectNoDifference(core.duration(of: .background, during: at(0)..<at(9)), .seconds(2))
  }

  /// A failure names its seed; `LIFECYCLE_SEED=1234 swift test --filter BusHistory` runs that seed.
  @Test("A thousand random scripts, against the events that an observer received")
  func randomScripts() throws {
    let kinds = PhaseOracle.transitions.dropLast() + [.systemDidWake]
    let seeds = seeds(1_000)
    var forgetfulCount = 0
    for seed in seeds {
      var generator = Generator(seed, 0, 0)
      let clock = ManualClock()
      let bus = LifecycleBus(clock: clock)
      var oracle = HistoryOracle()
      let token = bus.addObserver { event in
        guard event.phase != event.previousPhase else { return }
        let time = event.instant.continuous.timeSinceBoot
        oracle.note(event.phase, at: Int(time.components.seconds))
      }
      // One in ten is long, so that something is forgotten.
      let length = seed.isMultiple(of: 10) ? 2_000 : 40
      for _ in 0..<length {
        switch generator.next(below: 10) {
        case 0: clock.sleepDevice(for: .seconds(generator.next(below: 9)))
        case 1: clock.stopProcess(for: .seconds(generator.next(below: 9)))
        case 2: clock.setWallClock(by: .seconds(generator.next(below: 9) * 1000 - 4000))
        case 3...5: clock.advance(by: .seconds(generator.next(below: 3)))
        default:
          var instant = clock.now
          if generator.next(below: 6) == 0 {
            instant.continuous += .seconds(generator.next(below: 15) - 10)
          }
          let isEnd = generator.next(below: 10 * length) == 0
          bus.send(isEnd ? .willTerminate : kinds[generator.next(below: kinds.count)], at: instant)
        }
      }
      if oracle.start != oracle.changes.first?.second { forgetfulCount += 1 }
      let now = Int(clock.continuous.timeSinceBoot.components.seconds)
      let start: ContinuousInstant? = oracle.start.map { .boot + .seconds($0) }
      try #require(bus.historyStart == start, "LIFECYCLE_SEED=\(seed)")
      for _ in 0..<10 {
        let begin = now + 5 - generator.next(below: 60)
        let end = begin + generator.next(below: 30)
        let range = (.boot + .seconds(begin))..<(ContinuousInstant.boot + .seconds(end))
        let answers = [
          bus.foregroundDuration(during: range), bus.backgroundDuration(during: range),
        ]
        let expected = [
          oracle.foreground(begin..<end, now: now), oracle.background(begin..<end, now: now),
        ].map { $0.map { Duration.seconds($0) } }
        try #require(answers == expected, "LIFECYCLE_SEED=\(seed), \(range)")
        let phase = bus.phase(at: .boot + .seconds(begin))
        try #require(phase == oracle.phase(at: begin, now: now), "LIFECYCLE_SEED=\(seed), \(range)")
      }
      token.cancel()
    }
    #expect(forgetfulCount > 20 || seeds.count == 1, "hardly anything is forgotten")
  }

  @Test("It can be asked on any thread, while others send")
  func readableOnAnyThread() async {
    let bus = NonisolatedLifecycleBus(clock: clock)
    bus.send(.didBecomeActive)
    let wrong = Collector<String>()
    await awaitOtherThreads(4) { [clock] thread in
      for round in 0..<300 {
        if thread < 2 {
          clock.advance(by: .seconds(1))
          bus.send(round.isMultiple(of: 2) ? .didEnterBackground : .didBecomeActive)
        } else {
          let start = clock.continuous - .seconds(20)
          let end = clock.continuous
          let parts = [
            bus.foregroundDuration(during: start..<end),
            bus.backgroundDuration(during: start..<end),
          ]
          // In this order: the start moves on when the other threads make the history forget.
          if bus.phase(at: start) == nil, let oldest = bus.historyStart, oldest <= start {
            wrong("no phase at \(start)")
          }
          for part in parts {
            if let part, part > end - start || part < .zero { wrong("\(part) of \(end - start)") }
          }
        }
      }
    }
    expectNoDifference(wrong.values, [])
    let range = bus.historyStart!..<clock.continuous
    expectNoDifference(
      bus.foregroundDuration(during: range)! + bus.backgroundDuration(during: range)!,
      range.upperBound - range.lowerBound
    )
  }
}
