import CustomDump
import JobControl
import LifecycleSupport
import TestSupport
import Testing

/// What a critical section takes out is released after it. A `deinit` that takes the same lock ends the
/// process otherwise.
@Suite("Lock")
struct LockedTests {
  private final class Holder: Sendable {
    let state = Locked<[Canary]>([])
    let kept = Locked<Canary?>(nil)
    let released = Locked(0)

    func makeCanary() -> Canary {
      Canary { [weak self] in
        guard let self else { return }
        // Traps under either lock.
        state.withLock { _ in }
        kept.withLock { _ in }
        released.withLock { $0 += 1 }
      }
    }

    var releasedCount: Int { released.withLock { $0 } }
  }

  @Test("A discarded value is released after the lock")
  func discardedValueIsReleasedAfterLock() {
    let holder = Holder()
    holder.state.withLock { $0 = [holder.makeCanary(), holder.makeCanary()] }
    holder.state.discard { $0.popLast() }
    expectNoDifference(holder.releasedCount, 1)
    holder.state.discard { canaries in
      defer { canaries = [] }
      return canaries
    }
    expectNoDifference(holder.releasedCount, 2)
  }

  @Test("A value discarded beside a result is released after the lock")
  func withLockDiscarding() {
    let holder = Holder()
    holder.state.withLock { $0 = [holder.makeCanary(), holder.makeCanary()] }
    let count = holder.state.withLockDiscarding { canaries in
      let last = canaries.popLast()
      return (canaries.count, last)
    }
    expectNoDifference(count, 1)
    expectNoDifference(holder.releasedCount, 1)
    holder.state.discard { $0.popLast() }
  }

  @Test("An exchanged or taken value is returned, or released after the lock")
  func exchangedAndTakenValues() {
    let holder = Holder()
    #expect(holder.kept.exchange(holder.makeCanary()) == nil)
    holder.kept.exchange(holder.makeCanary())
    expectNoDifference(holder.releasedCount, 1)
    let taken = holder.kept.take()
    #expect(taken != nil && holder.kept.take() == nil)
    holder.kept.exchange(taken)
    let last = holder.kept.exchange(nil)
    #expect(last === taken)
    expectNoDifference(holder.releasedCount, 1)
    holder.kept.exchange(holder.makeCanary())
    holder.kept.take()
    expectNoDifference(holder.releasedCount, 2)
    withExtendedLifetime((taken, last)) {}
  }
}

/// The thread sanitizer's silence about the other tests means something only if it sees races.
@Suite(
  "Thread sanitizer",
  .enabled(if: isThreadSanitized, "built without the thread sanitizer"),
  .startsProcesses
)
struct ThreadSanitizerTests {
  @Test("The thread sanitizer reports an unguarded variable")
  func reportsUnguardedVariable() throws {
    let (status, text) = try runProgram(builtProgramPath("thread-probe"), ["race", "unguarded"])
    #expect(status != .exited(0))
    // Which of the two it sees first is chance.
    #expect(text.contains(/WARNING: ThreadSanitizer: (data|Swift access) race/), "\(text)")
  }

  @Test(
    "The thread sanitizer does not report a variable that a Locked guards",
    arguments: ["guarded", "guarded-array", "guarded-tuple"]
  )
  func doesNotReportGuardedVariable(_ kind: String) throws {
    let (status, text) = try runProgram(builtProgramPath("thread-probe"), ["race", kind])
    expectNoDifference(status, .exited(0))
    expectNoDifference(text, "40000\n")
  }
}
