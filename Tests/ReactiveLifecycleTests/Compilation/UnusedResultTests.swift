import CustomDump
import TestSupport
import Testing

/// A result that must be kept is one that the compiler warns of; the others may be ignored.
@Suite(
  "Unused results",
  .enabled(if: Compiler() != nil, "no swiftc on the search path"),
  .startsProcesses
)
struct UnusedResultTests {
  @Test("The compiler warns of a token that alone keeps its observer, and of a task that can throw")
  func compilerWarns() throws {
    let lost = """
      @MainActor func lose(_ bus: LifecycleBus, _ other: NonisolatedLifecycleBus,
        _ any: some LifecycleBusProtocol, _ scope: LifecycleScope
      ) {
        bus.addObserver { _ in }
        bus.addObserver(for: .didBecomeActive) { _ in }
        bus.onReturn { _ in }
        other.addObserver { _ in }
        other.onReturn { _ in }
        any.addObserver { _ in }
        any.onReturn { _ in }
        scope.task { try await bus.waitUntil(.atLeast(.active)) }
        scope.task(for: bus.events) { _ in try await bus.waitUntil(.atLeast(.active)) }
      }

      """
    // None of these has a warning.
    let kept = """
      final class Owner: Sendable {}
      @MainActor func keep(_ bus: LifecycleBus, _ other: NonisolatedLifecycleBus,
        _ any: some LifecycleBusProtocol, _ scope: LifecycleScope, _ owner: Owner
      ) async throws {
        _ = bus.addObserver { _ in }
        _ = other.onReturn { _ in }
        bus.addObserver(in: scope) { _ in }
        bus.addObserver(in: scope, id: 1) { _ in }
        bus.addObserver(owner) { _, _ in }
        bus.onReturn(in: scope) { _ in }
        bus.onReturn(owner) { _, _ in }
        bus.onReturn(in: scope, capturing: { 1 }) { _, _ in }
        other.addObserver(in: scope) { _ in }
        other.addObserver(owner) { _, _ in }
        other.onReturn(in: scope) { _ in }
        other.onReturn(owner) { _, _ in }
        any.addObserver(in: scope) { _ in }
        any.addObserver(owner) { _, _ in }
        any.onReturn(in: scope) { _ in }
        any.onReturn(owner) { _, _ in }
        scope.task {}
        scope.task(for: bus.events) { _ in }
        try await scope.task { try await bus.waitUntil(.atLeast(.active)) }.value
        scope.onEnd {}
      }
      """
    let diagnostics = try #require(Compiler())
      .diagnostics(in: lost + kept, importing: ["ReactiveLifecycle"])
    let functions = try diagnostics.map { line in
      let match = line.firstMatch(of: /: warning: result of call to '(\w+)\(.*\)' is unused/)
      return String(try #require(match, "\(line)").1)
    }
    expectNoDifference(
      functions,
      [
        "addObserver", "addObserver", "onReturn", "addObserver", "onReturn", "addObserver",
        "onReturn", "task", "task",
      ]
    )
  }
}
