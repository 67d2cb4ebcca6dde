import Testing

@testable import LifecycleTesting

@Suite("What a task waits for, once")
struct SuspensionTests {
  @Test("What was ended before a task waits is not missed, and the first end counts")
  func endedBefore() async throws {
    let woken = Suspension()
    woken.end()
    woken.cancel()
    try await woken.wait {}
    let cancelled = Suspension()
    cancelled.cancel()
    cancelled.end()
    await #expect(throws: CancellationError.self) { try await cancelled.wait {} }
  }

  @Test("A task that was cancelled before it waits says so at once, and does not wait")
  func cancelledBefore() async {
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      let suspension = Suspension()
      try await suspension.wait { suspension.cancel() }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
