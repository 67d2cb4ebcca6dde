import CustomDump
import LifecycleBackgroundWork
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// A scope that nothing keeps ends with the statement that makes it. Whoever adds something to it
/// is told.
@MainActor
@Suite("G9 Temporary scopes")
struct G09TemporaryScopeTests {
  /// Adds something of each form to the scopes that a closure returns, each at a line of its own.
  private func additions(
    _ bus: any LifecycleBusProtocol,
    _ trace: Trace
  ) -> [(String, (@autoclosure () -> LifecycleScope) -> Void)] {
    let fetches = BackgroundFetchCoordinator(of: bus)
    let tasks = BackgroundTaskCoordinator(host: InMemoryBackgroundTaskHost(clock: ManualClock()))
    let token = bus.addObserver { _ in trace("token") }
    var forms: [(String, (@autoclosure () -> LifecycleScope) -> Void)] = [
      ("observer", { bus.addObserver(in: $0(), line: 1) { _ in trace("observer") } }),
      ("named", { bus.addObserver(in: $0(), id: "id", line: 1) { _ in trace("named") } }),
      ("return", { bus.onReturn(in: $0(), line: 1) { _ in trace("return") } }),
      (
        "capture",
        { bus.onReturn(in: $0(), line: 1, capturing: { 1 }) { _, _ in trace("capture") } }
      ),
      ("sink", { bus.events.sink { _ in trace("sink") }.store(in: $0(), line: 1) }),
      ("token", { token.store(in: $0(), line: 1) }),
      ("cancellable", { LifecycleCancellable {}.store(in: $0(), line: 1) }),
      ("child", { _ = LifecycleScope("child", parent: $0(), line: 1) }),
      ("handler", { fetches.addHandler(named: "a", in: $0(), line: 1) { .noData } }),
      ("background task", { tasks.beginTask(named: "upload", in: $0(), line: 1) }),
      ("task", { $0().task(line: 1) {} }),
      ("task for a stream", { $0().task(for: bus.events, line: 1) { _ in } }),
    ]
    if let bus = bus as? LifecycleBus {
      forms += [
        ("main observer", { bus.addObserver(in: $0(), line: 1) { _ in trace("main observer") } }),
        ("main return", { bus.onReturn(in: $0(), line: 1) { _ in trace("main return") } }),
        (
          "main capture",
          { bus.onReturn(in: $0(), line: 1, capturing: { 1 }) { _, _ in trace("main capture") } }
        ),
      ]
    }
    return forms
  }

  @Test("Adding to a scope that nothing keeps is reported", arguments: BusKind.allCases)
  func temporaryScope(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    for (name, add) in additions(bus, trace) {
      let issues = reportedIssues { add(LifecycleScope("temporary")) }
      expectNoDifference(
        issues,
        [
          ReportedIssue(
            """
            Nothing keeps the scope "temporary" alive, so it has ended and the member that was \
            added to it was cancelled immediately. Store the scope in a property.
            """,
            line: 1
          )
        ],
        name
      )
    }
    bus.send(all: .didBecomeActive, .didEnterBackground, .didBecomeActive)
    expectNoDifference(trace.lines, [])
    #expect(bus.liveSubscriptions.isEmpty)
  }

  private final class Holder {
    let scope = LifecycleScope("property")
  }

  @Test("Adding to a scope that something keeps is not reported", arguments: BusKind.allCases)
  func keptScope(_ kind: BusKind) {
    let bus = kind.make()
    let holder = Holder()
    let local = LifecycleScope("local")
    let optional: LifecycleScope? = LifecycleScope("optional")
    for (name, add) in additions(bus, Trace()) {
      let issues = reportedIssues {
        add(holder.scope)
        add(local)
        if let optional { add(optional) }
        // The array is the only one that keeps it.
        let scopes = [LifecycleScope("element")]
        add(scopes[0])
        #expect(!scopes[0].isEnded)
      }
      expectNoDifference(issues, [], name)
    }
    #expect(!holder.scope.isEnded && !local.isEnded && optional?.isEnded == false)
  }

  @Test("A scope that ends while something is added is reported as ended")
  func endedMeanwhile() {
    /// An identifier that ends the scope when it is hashed, which is when the observer is made.
    struct EndingID: Hashable {
      let scope: LifecycleScope
      static func == (_: Self, _: Self) -> Bool { true }
      func hash(into hasher: inout Hasher) { scope.end() }
    }
    let bus = NonisolatedLifecycleBus()
    let scope = LifecycleScope("screen")
    expectReportedIssue("has already ended") {
      bus.addObserver(in: scope, id: EndingID(scope: scope)) { _ in }
    }
    #expect(scope.isEnded)
  }
}
