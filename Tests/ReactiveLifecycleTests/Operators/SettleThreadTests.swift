import CustomDump
import LifecycleTesting
import OpenCombineShim
import ReactiveLifecycle
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
    let sink = stage.settled().sink { phase in
      MainActor.assertIsolated()
      stage.trace(phase.rawValue)
    }
    stage.send(.willResignActive)
    stage.advance(1)
    stage.send(.didEnterBackground)
    await awaitOtherThread { stage.advance(10) }
    await mainQueueToDrain()
    expectNoDifference(stage.trace.lines, ["active", "inactive", "background"])
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
    await withTaskGroup(of: Void.self) { group in
      for thread in 0..<4 {
        group.addTask {
          await awaitOtherThread {
            for round in 0..<200 {
              switch thread {
              case 0: stage.send(round.isMultiple(of: 2) ? .didBecomeActive : .didEnterBackground)
              case 1: stage.advance(0.5)
              case 2: stage.send(round.isMultiple(of: 3) ? .willResignActive : .willEnterForeground)
              default:
                let subscriber = stage.raw(1)
                subscriber.request(1)
                stage.advance(0.25)
                subscriber.request(5)
                subscriber.cancel()
              }
            }
          }
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
}
