import CustomDump
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@MainActor
@Suite("G9 Scopes: closures that run at the end")
struct G09ScopeEndActionsTests {
  @Test("A closure runs once, in reverse order of insertion with everything else")
  func reverseOrder() {
    let trace = Trace()
    let scope = LifecycleScope()
    scope.onEnd { trace("closure 1") }
    AnyCancellable { trace("cancellable 2") }.store(in: scope)
    let child = LifecycleScope(parent: scope)
    child.onEnd { trace("child's 3") }
    scope.onEnd { trace("closure 4, \(scope.isEnded)") }
    scope.end()
    scope.end()
    expectNoDifference(
      trace.lines,
      ["closure 4, true", "child's 3", "cancellable 2", "closure 1"]
    )
  }

  @Test("It runs where the scope ends: at an event, at its release, on another thread")
  func everyEnd() {
    let trace = Trace()
    let bus = NonisolatedLifecycleBus(clock: ManualClock())
    let ending = LifecycleScope()
    ending.onEnd { trace("at an event") }
    ending.end(at: .systemDidWake, of: bus)
    bus.send(.systemDidWake)
    var released: LifecycleScope? = LifecycleScope()
    weak let weakScope = released
    released?.onEnd { trace("at its release") }
    released = nil
    #expect(weakScope == nil)
    let other = LifecycleScope()
    let thread = currentThread()
    other.onEnd { trace("on this thread: \(currentThread() == thread)") }
    onOtherThread { other.end() }
    expectNoDifference(
      trace.lines,
      ["at an event", "at its release", "on this thread: false"]
    )
  }

  @Test("Taken back, it does not run, and what it captured is released")
  func takenBack() {
    let trace = Trace()
    let scope = LifecycleScope()
    let cancellable = { (canary: Canary) in
      scope.onEnd {
        canary.sing()
        Issue.record("It was taken back")
      }
    }(Canary { trace("released") })
    #expect(!cancellable.isCancelled)
    cancellable.cancel()
    expectNoDifference(trace.take(), ["released"])
    expectNoDifference(scope.core.entryCount, 0)
    cancellable.cancel()
    scope.end()
    expectNoDifference(trace.lines, [])
  }

  @Test("Taken back while the scope ends, before its turn, it does not run")
  func takenBackMeanwhile() {
    let trace = Trace()
    let scope = LifecycleScope()
    let first = scope.onEnd { trace("first") }
    scope.onEnd {
      trace("second")
      first.cancel()
    }
    scope.end()
    expectNoDifference(trace.lines, ["second"])
  }

  @Test("After the end the cancellable has no effect, and nothing stays in memory")
  func afterTheEnd() {
    let trace = Trace()
    var scope: LifecycleScope? = LifecycleScope()
    let core = Weak(scope!.core)
    let cancellable = { (canary: Canary) in
      scope!.onEnd {
        canary.sing()
        trace("ran")
      }
    }(Canary { trace("released") })
    scope?.end()
    expectNoDifference(trace.take(), ["ran", "released"])
    #expect(cancellable.isCancelled)
    cancellable.cancel()
    scope = nil
    #expect(!core.isAlive)
    expectNoDifference(trace.lines, [])
  }

  @Test("Added to an ended scope, it runs at once, and this is reported at the caller's line")
  func addedToEndedScope() {
    let trace = Trace()
    let scope = LifecycleScope("screen")
    scope.end()
    let issues = reportedIssues {
      let cancellable = scope.onEnd(line: 11) { trace("ended") }
      #expect(cancellable.isCancelled)
      LifecycleScope("temporary").onEnd(line: 12) { trace("temporary") }
    }
    expectNoDifference(trace.lines, ["ended", "temporary"])
    expectNoDifference(
      issues,
      [
        ReportedIssue(
          """
          The scope "screen" has already ended, so the closure that was added to it ran \
          immediately. Create a new scope for each appearance.
          """,
          line: 11
        ),
        ReportedIssue(
          """
          Nothing keeps the scope "temporary" alive, so it has ended and the closure that was \
          added to it ran immediately. Store the scope in a property.
          """,
          line: 12
        ),
      ]
    )
  }

  @Test("It may use its scope, and another thread may, too: no lock is held")
  func noLock() {
    let scope = LifecycleScope("screen")
    let canary = Canary { [unowned scope] in onOtherThread { _ = scope.isEnded } }
    scope.onEnd {
      canary.sing()
      #expect(onOtherThread { scope.isEnded })
      expectReportedIssue("has already ended") { scope.onEnd {} }
    }
    scope.end()
  }

  @Test("Added by many threads while another one ends the scope, each closure runs once")
  func addedByManyThreads() async {
    for _ in 1...200 {
      let scope = LifecycleScope()
      let runs = Collector<Int>()
      await awaitOtherThreads(5) { thread in
        guard thread < 4 else { return scope.end() }
        // What comes after the end is reported.
        _ = reportedIssues { scope.onEnd { runs(thread) } }
      }
      expectNoDifference(runs.values.sorted(), [0, 1, 2, 3])
    }
  }

  @Test("Ended and taken back by many threads at once, it runs at most once")
  func manyThreads() async {
    for _ in 1...200 {
      let scope = LifecycleScope()
      let runs = Counter()
      let cancellable = scope.onEnd { runs.add() }
      await awaitOtherThreads(3) { thread in
        if thread == 1 { cancellable.cancel() } else { scope.end() }
      }
      #expect(runs.count <= 1)
      #expect(cancellable.isCancelled)
    }
  }
}
