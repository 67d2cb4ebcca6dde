import CustomDump
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import Synchronization
import TestSupport
import Testing

/// A thread that asks who runs may find a row that is about to be released.
@Suite("Threads: which observer runs")
struct RunningObserverThreadTests {
  /// What the thread that asks has found out.
  private final class Survey: Sendable {
    let isOver = Atomic(false)
    let questions = Atomic(0)
    let named = Locked<Set<UInt>>([])

    var isEnough: Bool {
      questions.load(ordering: .relaxed) >= 20_000 && named.withLock { !$0.isEmpty }
    }

    func ask(_ bus: NonisolatedLifecycleBus) {
      while !isOver.load(ordering: .relaxed) {
        if let line = bus.core.runningObserver?.line {
          named.withLock { _ = $0.insert(line) }
        }
        questions.add(1, ordering: .relaxed)
      }
    }
  }

  @Test("Asked while another thread delivers to observers that come and go")
  func askedWhileDelivering() async {
    let bus = NonisolatedLifecycleBus(clock: ManualClock())
    let survey = Survey()
    await awaitOtherThreads(2) { thread in
      guard thread == 0 else { return survey.ask(bus) }
      // The limit only keeps a test that must fail from running for ever.
      let limit = ContinuousClock.now + .seconds(600)
      while !survey.isEnough && ContinuousClock.now < limit { Self.deliver(bus) }
      survey.isOver.store(true, ordering: .relaxed)
    }
    // Whoever was named had been registered, and nobody is named for ever.
    #expect(survey.isEnough)
    #expect(survey.named.withLock { $0.isSubset(of: [1, 2, 3]) })
    expectNoDifference(bus.core.runningObserver, nil)
    #expect(bus.liveSubscriptions.isEmpty)
  }

  /// One observer leaves in its first event, one by its token, one after its catch-up.
  private static func deliver(_ bus: NonisolatedLifecycleBus) {
    let scope = LifecycleScope()
    bus.addObserver(in: scope, line: 1) { _ in scope.end() }
    let token = bus.addObserver(line: 2) { _ in }
    bus.send(.systemDidWake)
    token.cancel()
    bus.addObserver(catchUp: .path, line: 3) { _ in }.cancel()
    bus.send(.didFinishLaunching)
  }
}
