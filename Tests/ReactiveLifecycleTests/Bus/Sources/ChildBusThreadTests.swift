import CustomDump
import LifecycleCombine
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// Buses that feed each other, from many threads at once. The thread sanitizer runs these, too.
@Suite("Buses as sources: threads")
struct ChildBusThreadTests {
  private let clock = ManualClock()

  @Test("Children come and go while their parent delivers")
  func comeAndGo() async {
    let parent = NonisolatedLifecycleBus(clock: clock)
    await awaitOtherThreads(4) { thread in
      for round in 0..<60 {
        if thread == 0 {
          parent.send([.didBecomeActive, .didEnterBackground, .systemDidWake][round % 3])
        } else {
          let child = LifecycleBus(parent: parent)
          let token = child.addObserver { _ in }
          child.send(.didBecomeActive)
          _ = (child.phase, parent.diagnostics.liveSubscriptions.count)
          if round.isMultiple(of: 2) { token.cancel() }
        }
      }
    }
    await mainQueueToDrain()
    await mainQueueToDrain()
    #expect(parent.diagnostics.liveSubscriptions.isEmpty)
  }

  @Test("The child has what the parent had last, whichever threads sent it")
  func sameAsParent() async throws {
    for _ in 0..<20 {
      let parent = NonisolatedLifecycleBus(clock: clock)
      let child = NonisolatedLifecycleBus(clock: clock)
      let connection = try child.connect(.bus(parent), as: .ceiling)
      let seen = Collector<LifecycleEvent.Kind>()
      let told = Collector<LifecycleEvent.Kind>()
      let tokens = [parent.addObserver { told($0.kind) }, child.addObserver { seen($0.kind) }]
      await awaitOtherThreads(4) { thread in
        for round in 0..<20 { parent.send(PhaseOracle.transitions[(thread + round) % 5]) }
      }
      expectNoDifference(child.phase, parent.phase)
      // The child was in the background from the start.
      expectNoDifference([.didFinishLaunching] + seen.values, told.values)
      for token in tokens { token.cancel() }
      connection.cancel()
    }
  }

  @Test("Two buses that connect each other at once: one of them succeeds")
  func twoBusesConnectToEachOther() async {
    for _ in 0..<50 {
      let buses = (0..<2).map { _ in NonisolatedLifecycleBus(clock: clock) }
      let made = Collector<LifecycleCancellable>()
      await awaitOtherThreads(2) { thread in
        if let connection = try? buses[thread].connect(.bus(buses[1 - thread]), as: .ceiling) {
          made(connection)
        }
      }
      expectNoDifference(made.values.count, 1)
      for connection in made.values { connection.cancel() }
      #expect(
        buses.allSatisfy {
          $0.diagnostics.liveSubscriptions.isEmpty && $0.diagnostics.ceilings.isEmpty
        }
      )
    }
  }

  @Test("Parent and child released at once end the child once")
  func releasedAtOnce() async {
    for _ in 0..<50 {
      let finished = Counter()
      let parent = Locked<LifecycleBus?>(LifecycleBus(clock: clock))
      let child = Locked<LifecycleBus?>(LifecycleBus(parent: parent.withLock { $0! }))
      let sink = child.withLock { $0! }.events.sink { _ in
        finished.add()
      } receiveValue: { _ in
      }
      await awaitOtherThreads(2) { thread in
        if thread == 0 { parent.withLock { $0.take() }?.send(.systemDidWake) }
        if thread == 1 { _ = child.withLock { $0.take() }?.send(.didBecomeActive) }
      }
      await mainQueueToDrain()
      await mainQueueToDrain()
      expectNoDifference(finished.count, 1)
      withExtendedLifetime(sink) {}
    }
  }
}
