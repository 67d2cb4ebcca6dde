import DequeModule
import LifecycleSupport

/// The values that a bus keeps for one iterator of a sequence.
///
/// `AsyncStream` would also work, but leaves the caller's actor for each value, even for those that
/// are available already.
final class SequenceBuffer<Element: Sendable>: Sendable {
  private let machine: Locked<BufferMachine<Element, CheckedContinuation<Element?, Never>>>

  init(
    _ policy: AsyncStream<Element>.Continuation.BufferingPolicy,
    isSame: (@Sendable (Element, Element) -> Bool)?
  ) {
    machine = Locked(BufferMachine(policy, isSame: isSame))
  }

  func offer(_ value: Element) {
    let waiter = machine.withLockDiscarding { $0.offer(value) }
    waiter?.resume(returning: value)
  }

  func finish() {
    for waiter in machine.withLock({ $0.finish() }) { waiter.resume(returning: nil) }
  }

  /// Returns the next value. Gives up the thread only if no value is available.
  func next(isolation: isolated (any Actor)?) async -> Element? {
    await withCheckedContinuation(isolation: isolation) { waiter in
      let value = machine.withLock { $0.wait(waiter) }
      if let value { waiter.resume(returning: value) }
    }
  }
}
