import CustomDump
import LifecycleCombine
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// The thread sanitizer runs these, too.
@Suite("Settled phases: threads")
struct SettleThreadTests {
  private static let legal: [LifecyclePhase: Set<LifecyclePhase>] = [
    .unknown: [.background, .terminated],
    .background: [.inactive, .terminated],
    .inactive: [.active, .background],
    .active: [.inactive],
    .terminated: [],
  ]

  @Test("A main-actor bus tells on the main actor, wherever its clock is moved")
  @MainActor
  func mainActor() async {
    let stage = SettleStage(.mainActor)
    stage.send(.didBecomeActive)
    let told = LifecycleRecorder(of: LifecyclePhase.self, of: stage.bus!)
    let sink = stage.settled().sink { phase in
      MainActor.assertIsolated()
      told.record(phase)
    }
    stage.send(.willResignActive)
    stage.advance(1)
    stage.send(.didEnterBackground)
    await awaitOtherThread { stage.advance(10) }
    await mainQueueToDrain()
    expectNoDifference(told.elements, [.active, .inactive, .background])
    sink.cancel()
  }

  @Test(
    "Sending, moving the clock, asking for values and leaving at once",
    arguments: BusKind.allCases
  )
  func everythingAtOnce(_ kind: BusKind) async {
    let stage = SettleStage(kind)
    let heard = Locked<[LifecyclePhase]>([])
    let sink = stage.settled(1).sink { phase in heard.withLock { $0.append(phase) } }
    await awaitOtherThreads(4) { thread in
      for round in 0..<200 {
        switch thread {
        case 0: stage.send(round.isMultiple(of: 2) ? .didBecomeActive : .didEnterBackground)
        case 1: stage.advance(0.5)
        case 2: stage.send(round.isMultiple(of: 3) ? .willResignActive : .willEnterForeground)
        default:
          let phases = stage.record(1, demand: .none)
          phases.request(.max(1))
          stage.advance(0.25)
          phases.request(.max(5))
          phases.cancel()
        }
      }
    }
    if kind == .mainActor { await mainQueueToDrain() }
    stage.send(.didEnterBackground)
    if kind == .mainActor { await mainQueueToDrain() }
    await awaitOtherThread { stage.advance(1) }
    if kind == .mainActor { await mainQueueToDrain() }
    let path = heard.withLock { $0 }
    expectNoDifference(path.last, .background)
    #expect(zip(path, path.dropFirst()).allSatisfy { Self.legal[$0]!.contains($1) })
    sink.cancel()
    if kind == .mainActor { await mainQueueToDrain() }
    expectNoDifference(stage.clock.timerCount, 0)
    expectNoDifference(stage.bus.liveSubscriptions.count, 0)
  }

  /// A clock that uses the bus on another thread whenever it is asked for something.
  private final class NosyClock: LifecycleClock {
    let manual = ManualClock()
    let bus = Locked<(@Sendable () -> (any LifecycleBusProtocol)?)?>(nil)
    let trace = Trace()

    private func ask(_ line: String) {
      guard let bus = bus.withLock({ $0 })?() else { return }
      onOtherThread { [trace] in trace("\(line) in \(bus.phase)") }
    }

    var now: LifecycleInstant { manual.now }

    var continuous: ContinuousInstant {
      ask("read")
      return manual.continuous
    }

    func schedule(at deadline: ContinuousInstant, _ body: @escaping @Sendable () -> Void)
      -> LifecycleCancellable
    {
      ask("schedule")
      let timer = manual.schedule(at: deadline, body)
      return LifecycleCancellable { [self] in
        ask("cancel")
        timer.cancel()
      }
    }
  }

  @Test("The clock may use the bus: no lock is held when it is asked", arguments: BusKind.allCases)
  @MainActor
  func noLock(_ kind: BusKind) {
    let clock = NosyClock()
    let bus = kind.make(clock: clock)
    bus.send(.didBecomeActive)
    let sink = bus.phases.settle(for: .seconds(2)).sink { _ in }
    clock.bus.withLock { $0 = { [weak bus] in bus } }
    bus.send(.willResignActive)
    expectNoDifference(clock.trace.take(), ["schedule in inactive", "read in inactive"])
    bus.send(.didBecomeActive)
    expectNoDifference(clock.trace.take(), ["cancel in active"])
    bus.send(.willResignActive)
    sink.cancel()
    expectNoDifference(
      clock.trace.take(),
      ["schedule in inactive", "read in inactive", "cancel in inactive"]
    )
  }
}
