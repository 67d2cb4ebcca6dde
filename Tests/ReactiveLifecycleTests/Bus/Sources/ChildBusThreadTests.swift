import CustomDump
import Foundation
import LifecycleCombine
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// Buses that feed each other, from many threads at once. The thread sanitizer runs these, too.
@Suite("Buses as sources: threads")
struct ChildBusThreadTests {
  @Test("Children come and go while their parent delivers", arguments: BusKind.allCases)
  func comeAndGo(_ kind: BusKind) async {
    let parent = kind.make()
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
    #expect(parent.liveSubscriptions.isEmpty)
  }

  @Test("The child has what the parent had last, whichever threads sent it")
  func sameAsParent() async throws {
    for _ in 0..<20 {
      let parent = NonisolatedLifecycleBus(clock: ManualClock())
      let child = NonisolatedLifecycleBus(clock: ManualClock())
      let connection = try child.connect(.bus(parent), as: .ceiling)
      let seen = Collector<LifecycleEvent.Kind>()
      let told = Collector<LifecycleEvent.Kind>()
      let tokens = [parent.addObserver { told($0.kind) }, child.addObserver { seen($0.kind) }]
      await awaitOtherThreads(4) { thread in
        for round in 0..<20 {
          parent.send(PhaseOracle.transitions[(thread + round) % 5])
        }
      }
      expectNoDifference(child.phase, parent.phase)
      // The child was in the background from the start.
      expectNoDifference([.didFinishLaunching] + seen.values, told.values)
      for token in tokens { token.cancel() }
      connection.cancel()
    }
  }

  @Test("Two buses that connect each other at once: one of them at most succeeds")
  func twoBusesConnectToEachOther() async {
    for _ in 0..<50 {
      let buses = (0..<2).map { _ in NonisolatedLifecycleBus(clock: ManualClock()) }
      let made = Collector<LifecycleCancellable>()
      await awaitOtherThreads(2) { thread in
        if let connection = try? buses[thread].connect(.bus(buses[1 - thread]), as: .ceiling) {
          made(connection)
        }
      }
      expectNoDifference(made.values.count, 1)
      buses[0].send(.systemDidWake)
      for connection in made.values { connection.cancel() }
      #expect(buses.allSatisfy { $0.liveSubscriptions.isEmpty && $0.diagnostics.ceilings.isEmpty })
    }
  }

  @Test("Parent and child released at once end the child once", arguments: BusKind.allCases)
  func releasedAtOnce(_ kind: BusKind) async {
    for _ in 0..<50 {
      let finished = Collector<String>()
      let sink = UncheckedBox<Any>()
      let (parent, child) = makePair(kind, finished, sink)
      await awaitOtherThreads(2) { thread in
        if thread == 0 { parent.withLock { $0.take() }?.send(.systemDidWake) }
        if thread == 1 { _ = child.withLock { $0.take() }?.send(.didBecomeActive) }
      }
      await mainQueueToDrain()
      await mainQueueToDrain()
      expectNoDifference(finished.values, ["finished"])
      sink.value = nil
    }
  }

  private final class Box<Value: Sendable>: Sendable {
    private let state: Locked<Value?>
    init(_ value: Value) { state = Locked(value) }
    func withLock<Result: Sendable>(_ body: (inout Value?) -> Result) -> Result {
      state.withLock { body(&$0) }
    }
  }

  private func makePair(
    _ kind: BusKind,
    _ finished: Collector<String>,
    _ sink: UncheckedBox<Any>
  ) -> (Box<any LifecycleBusProtocol>, Box<LifecycleBus>) {
    let parent = kind.make()
    let child = LifecycleBus(parent: parent)
    sink.value = child.events.sink(
      receiveCompletion: { _ in finished("finished") },
      receiveValue: { _ in }
    )
    return (Box(parent), Box(child))
  }
}
