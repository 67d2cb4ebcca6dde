import CustomDump
import ReactiveLifecycle
import TestSupport
import Testing

@testable import LifecycleTesting

/// The threads and tasks that read the changes of an observable model.
extension RecordModelTests {
  @Test("A change on the main actor is not read on another thread, but on the main actor later")
  func readOnAnotherThread() {
    let recorder = lifecycle.record(model, \.remaining, as: "remaining")
    model.remaining = 5
    expectNoDifference(onOtherThread { recorder.elements }, [3])
    expectNoDifference(recorder.elements, [3, 5])
  }

  @Test("A task that waits already receives the next change")
  func changeWhileATaskWaits() async throws {
    let recorder = lifecycle.record(model, \.title, as: "title")
    expectNoDifference(recorder.takeElements(), ["idle"])
    let core = try #require(
      Mirror(reflecting: recorder).descendant("core") as? RecorderCore<String, Never>
    )
    let waiting = Task { @MainActor in try await recorder.next() }
    while !core.hasWaiters { await Task.yield() }
    model.title = "later"
    let title = try await waiting.value
    expectNoDifference(title, "later")
  }
}
