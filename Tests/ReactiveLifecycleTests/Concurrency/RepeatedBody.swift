import LifecycleSupport
import ReactiveLifecycle
import TestSupport
import Testing

/// A body in a test: it says when it starts and when it is cancelled, and ends when it is told
/// how.
final class RepeatedBody: Sendable {
  enum End { case returning, throwing, cancelling }

  let trace: Trace
  let started = Mailbox<Void>()
  let end = Mailbox<End>()
  let ended = Mailbox<Void>()
  private let isRunning = Locked(false)

  init(_ trace: Trace) { self.trace = trace }

  /// False if the body is running already.
  private func begin() -> Bool {
    isRunning.withLock { isRunning in
      defer { isRunning = true }
      return !isRunning
    }
  }

  func callAsFunction() async throws {
    let isOnlyOne = begin()
    #expect(isOnlyOne, "two bodies at once")
    defer { isRunning.withLock { $0 = false } }
    let command = await withTaskCancellationHandler {
      trace("started")
      started.send(())
      return await end.receive()
    } onCancel: {
      trace("cancelled")
    }
    trace("ended")
    ended.send(())
    switch command {
    case .returning: return
    case .throwing: throw BodyError()
    case .cancelling: try Task.checkCancellation()
    }
  }
}
