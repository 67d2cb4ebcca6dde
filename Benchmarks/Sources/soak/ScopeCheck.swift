import LifecycleCombine
import ReactiveLifecycle
import Synchronization

/// A scope with a child, which several threads may end at once: its members are cancelled once, in
/// reverse order of insertion (G9).
final class ScopeCheck: Sendable {
  let scope = LifecycleScope("parent")
  private let child: LifecycleScope
  private let order = Mutex<[Int]>([])
  private let faults: Faults

  init(_ faults: Faults) {
    self.faults = faults
    child = LifecycleScope("child", parent: scope)
  }

  /// Adds the members. Not in `init`, as they capture this object.
  func fill() {
    // The child has its place since it was made.
    child.onEnd { self.note(5) }
    LifecycleCancellable { self.note(4) }.store(in: child)
    AnyCancellable { self.note(3) }.store(in: child)
    scope.onEnd { self.note(2) }
    scope.onEnd { self.note(-1) }.cancel()
    LifecycleCancellable { self.note(1) }.store(in: scope)
  }

  private func note(_ number: Int) { order.withLock { $0.append(number) } }

  /// Checks that a scope that has ended takes no more members. Call it after its end.
  func checkEnded(_ issues: IssueCheck) {
    faults.check(.scopes, scope.isEnded, "the scope has not ended")
    let hasRun = Atomic(false)
    let line: UInt = #line + 2
    issues.expectIssue(.scopes, line: line) {
      scope.onEnd { hasRun.store(true, ordering: .relaxed) }
    }
    faults.check(
      .scopes,
      hasRun.load(ordering: .relaxed),
      "what was added to an ended scope has not been cancelled"
    )
  }

  /// Checks the order. Call it when no thread ends the scope any longer.
  func checkEnd() {
    scope.end()
    let order = faults.makes(.scope) ? order.withLock { $0.reversed() } : order.withLock { $0 }
    faults.check(.scopes, child.isEnded, "the child has not ended with its parent")
    faults.check(.scopes, order == [1, 2, 3, 4, 5], "the order of the cancellations is \(order)")
  }
}
