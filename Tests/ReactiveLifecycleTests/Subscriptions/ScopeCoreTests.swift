import TestSupport
import Testing

@testable import ReactiveLifecycle

@MainActor
@Suite("Scopes: members")
struct ScopeCoreTests {
  /// A member that counts how often it is asked for its bus.
  private final class AskedEntry: ScopeEntry, @unchecked Sendable {
    let count: Counter
    init(_ count: Counter) { self.count = count }
    override var observedBus: LifecycleBusCore? {
      _ = count.add()
      return nil
    }
  }

  @Test("A task in a child scope asks few members of the parent for their bus, however many it has")
  func fewMembersAsked() {
    let (parent, count) = (LifecycleScope("parent"), Counter())
    for _ in 0..<1_000 { parent.core.admit { _ in AskedEntry(count) } }
    let child = LifecycleScope("child", parent: parent)
    child.task {}
    #expect(count.count < 100)
    withExtendedLifetime((parent, child)) {}
  }
}
