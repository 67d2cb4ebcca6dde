import DequeModule

/// What a bus keeps for one iterator of a sequence.
///
/// `AsyncStream` would do, but leaves the caller's actor for each value, also for those that are
/// there.
final class SequenceBuffer<Element: Sendable>: Sendable {
  private let machine: Locked<BufferMachine<Element, CheckedContinuation<Element?, Never>>>

  init(_ policy: AsyncStream<Element>.Continuation.BufferingPolicy) {
    machine = Locked(BufferMachine(policy))
  }

  func offer(_ value: Element) {
    let (waiter, dropped) = machine.withLock { $0.offer(value) }
    withExtendedLifetime(dropped) {}
    waiter?.resume(returning: value)
  }

  func finish() {
    for waiter in machine.withLock({ $0.finish() }) { waiter.resume(returning: nil) }
  }

  /// Gives up the thread only if there is no value.
  func next(isolation: isolated (any Actor)?) async -> Element? {
    await withCheckedContinuation(isolation: isolation) { waiter in
      let value = machine.withLock { $0.wait(waiter) }
      if let value { waiter.resume(returning: value) }
    }
  }
}

/// A sequence's place on a bus, which it leaves with its last reference.
final class SequenceListener<Element: Sendable>: Sendable {
  private let buffer: SequenceBuffer<Element>
  private let row: ObserverRow

  init(_ buffer: SequenceBuffer<Element>, _ row: ObserverRow) {
    self.buffer = buffer
    self.row = row
  }

  deinit { row.cancel() }

  func next(isolation: isolated (any Actor)?) async -> Element? {
    await withTaskCancellationHandler {
      await buffer.next(isolation: isolation)
    } onCancel: {
      row.cancel()
      buffer.finish()
    }
  }
}
