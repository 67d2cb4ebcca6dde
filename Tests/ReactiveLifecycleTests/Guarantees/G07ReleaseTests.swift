import CustomDump
import ReactiveLifecycle
import TestSupport
import Testing

/// What belongs to the main actor is given back there, whoever cancels.
@Suite("G7 Release on the main actor")
@MainActor
struct G07ReleaseTests {
  /// Not `Sendable`, and no lock: its user relies on the main actor.
  final class Journal {
    var entries: [Int] = []
  }

  final class Captured {
    private let journal: Journal

    init(_ journal: Journal) {
      self.journal = journal
    }

    deinit {
      MainActor.preconditionIsolated()
      journal.entries.append(-1)
    }
  }

  @Test("A captured value is released on the main actor when a scope ends elsewhere")
  func capturedValue() async {
    let journal = Journal()
    let bus = LifecycleBus()
    for round in 0..<50 {
      let scope = LifecycleScope()
      bus.onReturn(in: scope, capturing: { Captured(journal) }) { _, _ in }
      bus.send(.didBecomeActive)
      bus.send(.didEnterBackground)
      let end = Task.detached { scope.end() }
      for _ in 0..<100 { journal.entries.append(round) }
      await end.value
    }
    await mainQueueToDrain()
    expectNoDifference(journal.entries.filter { $0 == -1 }.count, 50)
    expectNoDifference(journal.entries.count, 50 * 101)
  }

  @Test("A closure's captures are released on the main actor when its token is cancelled elsewhere")
  func capturesAreReleasedOnMainActor() async {
    let journal = Journal()
    let bus = LifecycleBus()
    let token = observe(bus, Captured(journal))
    await Task.detached { token.cancel() }.value
    await mainQueueToDrain()
    expectNoDifference(journal.entries, [-1])
    withExtendedLifetime(bus) {}
  }

  private func observe(_ bus: LifecycleBus, _ captured: Captured) -> LifecycleSubscription {
    bus.addObserver { _ in withExtendedLifetime(captured) {} }
  }
}
