import CustomDump
import LifecycleTesting
import ReactiveLifecycle

/// The waiting calls that both kinds of bus offer, so that a test can run on either.
protocol WaitingBus: TestedBus {
  consuming func repeating(
    atLeast phase: LifecyclePhase,
    line: UInt,
    _ body: @escaping @Sendable () async throws -> Void
  ) async throws

  consuming func repeating(
    atMost phase: LifecyclePhase,
    _ body: @escaping @Sendable () async throws -> Void
  ) async throws

  @MainActor
  consuming func once<Value: Sendable>(
    atLeast phase: LifecyclePhase,
    line: UInt,
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value

  @MainActor
  consuming func once<Value: Sendable>(
    atMost phase: LifecyclePhase,
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value
}

extension WaitingBus {
  consuming func repeating(
    atLeast phase: LifecyclePhase,
    _ body: @escaping @Sendable () async throws -> Void
  ) async throws {
    try await (consume self).repeating(atLeast: phase, line: 0, body)
  }

  @MainActor
  consuming func once<Value: Sendable>(
    atLeast phase: LifecyclePhase,
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await (consume self).once(atLeast: phase, line: 0, body)
  }
}

extension LifecycleBus: WaitingBus {
  consuming func repeating(
    atLeast phase: LifecyclePhase,
    line: UInt,
    _ body: @escaping @Sendable () async throws -> Void
  ) async throws {
    try await (consume self).repeatWhile(atLeast: phase, line: line) {
      MainActor.preconditionIsolated()
      try await body()
    }
  }

  consuming func repeating(
    atMost phase: LifecyclePhase,
    _ body: @escaping @Sendable () async throws -> Void
  ) async throws {
    try await (consume self).repeatWhile(atMost: phase) { try await body() }
  }

  @MainActor
  consuming func once<Value: Sendable>(
    atLeast phase: LifecyclePhase,
    line: UInt,
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await (consume self).runOnce(atLeast: phase, line: line) { try body() }
  }

  @MainActor
  consuming func once<Value: Sendable>(
    atMost phase: LifecyclePhase,
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await (consume self).runOnce(atMost: phase) { try body() }
  }
}

extension NonisolatedLifecycleBus: WaitingBus {
  consuming func repeating(
    atLeast phase: LifecyclePhase,
    line: UInt,
    _ body: @escaping @Sendable () async throws -> Void
  ) async throws {
    try await (consume self).repeatWhile(atLeast: phase, line: line, body)
  }

  consuming func repeating(
    atMost phase: LifecyclePhase,
    _ body: @escaping @Sendable () async throws -> Void
  ) async throws {
    try await (consume self).repeatWhile(atMost: phase, body)
  }

  @MainActor
  consuming func once<Value: Sendable>(
    atLeast phase: LifecyclePhase,
    line: UInt,
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await (consume self).runOnce(atLeast: phase, line: line, body)
  }

  @MainActor
  consuming func once<Value: Sendable>(
    atMost phase: LifecyclePhase,
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await (consume self).runOnce(atMost: phase, body)
  }
}

extension BusKind {
  func makeWaiting() -> any WaitingBus {
    switch self {
    case .mainActor: LifecycleBus(clock: ManualClock())
    case .nonisolated: NonisolatedLifecycleBus(clock: ManualClock())
    }
  }
}

/// What a body throws.
struct BodyError: Error, Equatable {}

/// Values that are sent from anywhere and received in order by one task, which waits for them
/// whether it is cancelled or not.
final class Mailbox<Value: Sendable>: Sendable {
  private struct State {
    var values: [Value] = []
    var receiver: CheckedContinuation<Value, Never>?
  }

  private let state = Locked(State())

  func send(_ value: Value) {
    let receiver = state.withLock { state in
      defer { state.receiver = nil }
      if state.receiver == nil { state.values.append(value) }
      return state.receiver
    }
    receiver?.resume(returning: value)
  }

  func receive() async -> Value {
    await withCheckedContinuation { continuation in
      let value = state.withLock { state -> Value? in
        guard state.values.isEmpty else { return state.values.removeFirst() }
        state.receiver = continuation
        return nil
      }
      if let value { continuation.resume(returning: value) }
    }
  }

  /// What has been sent and not been received.
  var rest: [Value] { state.withLock { $0.values } }
}

/// Waits for the task and compares what has become of it: `returned`, `returned 1`, `cancelled`,
/// `ended`, `threw …`.
func expect<Value: Sendable>(
  _ task: Task<Value, any Error>,
  _ outcome: String,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) async {
  let result = describe(await task.result)
  expectNoDifference(
    result,
    outcome,
    fileID: fileID,
    filePath: filePath,
    line: line,
    column: column
  )
}

/// What has become of a call, as traces show it.
func describe<Value>(_ result: Result<Value, any Error>) -> String {
  switch result {
  case .success(is Void): "returned"
  case .success(let value): "returned \(value)"
  case .failure(is CancellationError): "cancelled"
  case .failure(is LifecycleBusEndedError): "ended"
  case .failure(let error): "threw \(error)"
  }
}
