import CustomDump
import LifecycleCore
import LifecycleSupport
import Testing

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

extension Task where Failure == any Error, Success == Void? {
  /// The task, whose bus is expected to have been there when it began.
  func asVoid() -> Task<Void, any Error> {
    Task<Void, any Error> { try #require(try await value) }
  }
}
