import CustomDump
import Foundation
import LifecycleBackgroundWork
import LifecycleCombine
import LifecycleCore
import LifecycleSystem
import LifecycleTesting
import TestSupport
import Testing

/// A scope that nothing keeps ends with the statement that makes it. A call that adds something
/// to it is reported.
@MainActor
@Suite("G9 Temporary scopes")
struct G09TemporaryScopeTests {
  private typealias Form = (name: String, add: (@autoclosure () -> LifecycleScope) -> Void)

  /// Adds something of each form to the scopes that a closure returns, each at a line of its own.
  private func additions(_ bus: any LifecycleBusProtocol, _ trace: Trace) -> [Form] {
    let fetches = BackgroundFetchCoordinator(of: bus)
    let tasks = BackgroundTaskCoordinator(host: InMemoryBackgroundTaskHost(clock: ManualClock()))
    let token = bus.addObserver { _ in trace("token") }
    let forms: [Form] = [
      ("sink", { bus.events.sink { _ in trace("sink") }.store(in: $0(), line: 1) }),
      ("token", { token.store(in: $0(), line: 1) }),
      ("cancellable", { LifecycleCancellable {}.store(in: $0(), line: 1) }),
      ("closure", { $0().onEnd(line: 1) {} }),
      ("child", { _ = LifecycleScope("child", parent: $0(), line: 1) }),
      ("handler", { fetches.addHandler(named: "a", in: $0(), line: 1) { .noData } }),
      ("background task", { tasks.beginTask(named: "upload", in: $0(), line: 1) }),
      ("task", { $0().task(line: 1) {} }),
      ("throwing task", { $0().task(line: 1) { try await Task.sleep(for: .zero) } }),
      ("task for a stream", { $0().task(for: bus.events, line: 1) { _ in } }),
      ("system", { _ = try? bus.connectSystem(in: $0(), line: 1) }),
    ]
    switch bus {
    case let bus as LifecycleBus:
      return forms + [
        ("observer", { bus.addObserver(in: $0(), line: 1) { _ in trace("observer") } }),
        ("opening", { bus.onOpen(in: $0(), line: 1) { _ in trace("opening") } }),
        ("return", { bus.onReturn(in: $0(), line: 1) { _ in trace("return") } }),
        (
          "capture",
          { bus.onReturn(in: $0(), line: 1, capturing: { 1 }) { _, _ in trace("capture") } }
        ),
        ("exit request", { bus.onExitRequest(in: $0(), line: 1) { _ in .exit } }),
        ("end", { $0().end(at: .willTerminate, of: bus, line: 1) }),
        ("end by phase", { $0().end(when: .atLeast(.active), of: bus, line: 1) }),
      ]
    case let bus as NonisolatedLifecycleBus:
      return forms + [
        ("observer", { bus.addObserver(in: $0(), line: 1) { _ in trace("observer") } }),
        ("opening", { bus.onOpen(in: $0(), line: 1) { _ in trace("opening") } }),
        ("return", { bus.onReturn(in: $0(), line: 1) { _ in trace("return") } }),
        (
          "capture",
          { bus.onReturn(in: $0(), line: 1, capturing: { 1 }) { _, _ in trace("capture") } }
        ),
        ("exit request", { bus.onExitRequest(in: $0(), line: 1) { _ in .exit } }),
      ]
    default: return forms
    }
  }

  @Test("Adding to a scope that nothing keeps is reported", arguments: BusKind.allCases)
  func temporaryScope(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    for (name, add) in additions(bus, trace) {
      let issues = reportedIssues { add(LifecycleScope("temporary")) }
      expectNoDifference(issues.map(\.line), [1], name)
      for issue in issues {
        #expect(
          issue.message.wholeMatch(
            of: /Nothing keeps the scope "temporary" alive, .* Store the scope in a property\./
          ) != nil,
          "\(name): \(issue.message)"
        )
      }
    }
    bus.send(all: .didBecomeActive, .didEnterBackground, .didBecomeActive)
    expectNoDifference(trace.lines, [])
    #expect(bus.diagnostics.liveSubscriptions.isEmpty)
  }

  /// A method that only borrows a scope can't notice that nothing keeps it.
  @Test("Every method that takes a scope consumes it")
  func parameters() throws {
    let sources = URL(filePath: #filePath).appending(path: "../../../../Sources").standardized
    let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
    let parameter = /\s+(?:\w+ )?\w+: (consuming )?LifecycleScope.*/
    var count = 0
    for case let file as URL in try #require(files) where file.pathExtension == "swift" {
      for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
        guard let match = line.wholeMatch(of: parameter) else { continue }
        count += 1
        #expect(match.1 != nil, "\(file.lastPathComponent): \(line)")
      }
    }
    #expect(count > 20)
  }

  @Test("A task of a child scope that only an observer's call keeps is reported")
  func childOfACall() {
    let (bus, scope) = (LifecycleBus(), LifecycleScope("screen"))
    var visit: LifecycleScope?
    bus.addObserver(for: .systemWillSleep, in: scope) { [unowned scope] _ in
      let child = LifecycleScope("child", parent: scope)
      child.task(line: 1) {}
    }
    bus.addObserver(for: .systemDidWake, in: scope) { [unowned scope] _ in
      visit = LifecycleScope("visit", parent: scope)
      visit?.task(line: 2) {}
      let ended = LifecycleScope("ended", parent: scope)
      ended.task(line: 3) {}
      ended.end()
    }
    let issues = reportedIssues { bus.send(.systemWillSleep) }
    expectNoDifference(
      issues,
      [
        ReportedIssue(
          """
          Nothing keeps the scope "child" alive, so it has ended and the member that was added to \
          it was cancelled immediately. Store the scope in a property.
          """,
          line: 1
        )
      ]
    )
    // Nor is one that the next call replaces, or another one releases.
    let others = reportedIssues {
      bus.send(all: .systemDidWake, .systemDidWake)
      visit = nil
    }
    expectNoDifference(others, [])
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
