import CustomDump
import LifecycleCombine
import LifecycleCountdowns
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import Synchronization
import TestSupport
import Testing

/// The thread sanitizer runs these, too.
@Suite("Countdown: threads")
struct CountdownThreadTests {
  private static let rounds = 150

  @Test("Commands, subscribers, the bus and the clock at once", arguments: BusKind.allCases)
  func everythingAtOnce(_ kind: BusKind) async {
    let clock = ManualClock()
    let box = Locked<(any LifecycleBusProtocol)?>(kind.make(clock: clock))
    let bus: any LifecycleBusProtocol = box.withLock { $0 }!
    bus.send(.didBecomeActive)
    let countdowns = Countdown.BackgroundBehavior.allCases.map {
      Countdown(.seconds(3), of: bus, tickInterval: .seconds(1), inBackground: $0)
    }
    let told = Locked<[[Countdown.State]]>(countdowns.map { _ in [] })
    let sinks = countdowns.indices.map { index in
      UncheckedBox(
        countdowns[index].states.sink { state in told.withLock { $0[index].append(state) } }
      )
    }
    await awaitOtherThreads(4) { thread in
      for round in 0..<Self.rounds { Self.act(thread, round, countdowns, bus, clock) }
    }
    if kind == .mainActor { await mainQueueToDrain() }
    // Once they are left alone, each finishes, once.
    await Self.here(kind) {
      bus.send(.didBecomeActive)
      told.withLock { $0 = countdowns.map { _ in [] } }
      for countdown in countdowns { countdown.restart() }
      clock.advance(by: .seconds(10))
    }
    if kind == .mainActor { await mainQueueToDrain() }
    for states in told.withLock({ $0 }) {
      #expect(states.filter { $0.status == .finished }.count == 1)
      #expect(states.last == Countdown.State(status: .finished, remaining: .zero))
    }
    #expect(clock.timerCount == 0)
    for sink in sinks { sink.value = nil }
  }

  @MainActor
  private static func here(_ kind: BusKind, _ body: @Sendable () -> Void) { body() }

  private static func act(
    _ thread: Int,
    _ round: Int,
    _ countdowns: [Countdown],
    _ bus: any LifecycleBusProtocol,
    _ clock: ManualClock
  ) {
    let countdown = countdowns[round % countdowns.count]
    switch thread {
    case 0: bus.send(round % 2 == 0 ? .didEnterBackground : .didBecomeActive)
    case 1: clock.advance(by: .milliseconds(400))
    case 2:
      switch round % 5 {
      case 0: countdown.pause()
      case 1: countdown.resume()
      case 2: countdown.extend(by: .seconds(round % 3 - 1))
      case 3: countdown.cancel()
      default: countdown.restart()
      }
    default:
      let own = Countdown(.seconds(1), of: bus)
      let sink = own.states.sink { _ in }
      own.start()
      _ = (countdown.state, own.record, own.remaining, bus.liveSubscriptions.count)
      let other = countdown.states.sink { _ in }
      if round % 2 == 0 { sink.cancel() }
      other.cancel()
    }
  }

  @Test("What other threads do on a main actor's bus, subscribers receive on the main actor")
  @MainActor
  func deliveredOnTheMainActor() async {
    let clock = ManualClock()
    let bus = LifecycleBus(clock: clock)
    bus.send(.didBecomeActive)
    let countdown = Countdown(.seconds(3), of: bus, tickInterval: .seconds(1))
    let trace = Trace()
    let sink = countdown.states.sink { state in
      trace("\(state.line) on main \(MainQueue.isCurrent)")
    }
    expectNoDifference(trace.take(), ["idle 3 on main true"])
    let steps: [(String, @Sendable () -> Void)] = [
      ("running 3", { countdown.start() }),
      ("running 2", { clock.advance(by: .seconds(1)) }),
      ("paused 2", { countdown.pause() }),
    ]
    for (line, step) in steps {
      onOtherThread(step)
      expectNoDifference(trace.take(), [])
      await mainQueueToDrain()
      expectNoDifference(trace.take(), ["\(line) on main true"])
    }
    sink.cancel()
  }

  private final class Tally: Sendable {
    let count = Atomic(0)
  }

  @Test("No end is lost when nothing but the clock and restarts compete")
  func noLostFinish() async {
    let clock = ManualClock()
    let bus = NonisolatedLifecycleBus(clock: clock)
    bus.send(.didBecomeActive)
    let countdowns = (0..<3).map { _ in Countdown(.seconds(2), of: bus) }
    let finishes = Tally()
    let sinks = countdowns.map { countdown in
      UncheckedBox(
        countdown.states.sink {
          if $0.status == .finished { finishes.count.add(1, ordering: .relaxed) }
        }
      )
    }
    let rounds = Self.rounds
    await awaitOtherThreads(countdowns.count) { thread in
      let countdown = countdowns[thread]
      for _ in 0..<rounds {
        // Each run is let finish: of one that has, the end was told or will be.
        while countdown.state.status == .running { clock.advance(by: .milliseconds(100)) }
        countdown.restart()
      }
    }
    clock.advance(by: .seconds(2))
    // A subscriber is never slow here, so that it misses none.
    expectNoDifference(finishes.count.load(ordering: .relaxed), 3 * rounds)
    for sink in sinks { sink.value = nil }
    withExtendedLifetime((bus, countdowns)) {}
  }

  @Test("The first countdowns of a bus, made on several threads", arguments: BusKind.allCases)
  func firstOnes(_ kind: BusKind) async {
    let clock = ManualClock()
    let bus = kind.make(clock: clock)
    for _ in 0..<50 {
      await makeThree(kind, bus, clock)
      if kind == .mainActor { await mainQueueToDrain() }
      #expect(clock.timerCount == 0)
    }
  }

  /// The threads' closures may outlive the test by a moment: they hold this, not the countdowns.
  private final class Made: Sendable {
    let countdowns = Locked<[Countdown]>([])
    func take() -> [Countdown] {
      countdowns.withLock { list in
        defer { list = [] }
        return list
      }
    }
  }

  private func makeThree(_ kind: BusKind, _ bus: any LifecycleBusProtocol, _ clock: ManualClock)
    async
  {
    let made = Made()
    await awaitOtherThreads(3) { _ in
      let countdown = Countdown(.seconds(1), of: bus)
      countdown.start()
      made.countdowns.withLock { $0.append(countdown) }
    }
    if kind == .mainActor { await mainQueueToDrain() }
    let countdowns = made.take()
    expectNoDifference(Set(countdowns.map { ObjectIdentifier($0.core.queue) }).count, 1)
    expectNoDifference(clock.timerCount, 1)
    withExtendedLifetime(countdowns) {}
  }
}
