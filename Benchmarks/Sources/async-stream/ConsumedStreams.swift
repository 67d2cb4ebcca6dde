import BenchmarkSupport
import Dispatch
import ReactiveLifecycle
import Synchronization

/// A stream and a consuming task for each slot.
///
/// An event is over when every task has consumed it: the cost includes yielding to each stream, the
/// tasks' turns on the threads of the concurrency runtime, an atomic subtraction a call that finds
/// the last one, and waking the sender.
final class ConsumedStreams: Sendable {
  private let continuations: [AsyncStream<LifecycleEvent>.Continuation]
  private let barrier = Barrier()

  /// Starts the tasks.
  init(_ slots: [CallSlot]) {
    continuations = slots.map { [barrier] slot in
      let (stream, continuation) = AsyncStream<LifecycleEvent>.makeStream()
      Task.detached {
        for await _ in stream {
          slot.increment()
          barrier.arrive()
        }
      }
      return continuation
    }
  }

  deinit {
    for continuation in continuations { continuation.finish() }
  }

  /// Sends an event, and returns when every task has consumed it.
  func send(_ event: LifecycleEvent) {
    barrier.expect(continuations.count)
    for continuation in continuations { continuation.yield(event) }
    barrier.wait()
  }
}

private final class Barrier: Sendable {
  private let missing = Atomic(0)
  private let complete = DispatchSemaphore(value: 0)

  func expect(_ count: Int) {
    missing.store(count, ordering: .releasing)
  }

  func arrive() {
    if missing.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { complete.signal() }
  }

  func wait() {
    complete.wait()
  }
}
