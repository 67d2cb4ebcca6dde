import LifecycleTesting
import ReactiveLifecycle
import TestSupport

/// The waiting calls of both kinds of bus, so that a test can run on either: those of
/// `LifecycleBusProtocol` as generic code makes them, and the main-actor forms of `LifecycleBus`.
protocol WaitingBus: LifecycleBusProtocol {
  consuming func repeating(
    _ condition: LifecyclePhase.Condition,
    line: UInt,
    _ body: @escaping @Sendable () async throws -> Void
  ) async throws

  @MainActor
  consuming func once<Value: Sendable>(
    _ condition: LifecyclePhase.Condition,
    line: UInt,
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value
}

extension WaitingBus {
  consuming func repeating(
    _ condition: LifecyclePhase.Condition,
    line: UInt = 0,
    _ body: @escaping @Sendable () async throws -> Void
  ) async throws {
    try await (consume self).repeatWhile(condition, line: line, body)
  }

  @MainActor
  consuming func once<Value: Sendable>(
    _ condition: LifecyclePhase.Condition,
    line: UInt = 0,
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await (consume self).perform(when: condition, line: line, body)
  }
}

extension NonisolatedLifecycleBus: WaitingBus {}

extension LifecycleBus: WaitingBus {
  consuming func repeating(
    _ condition: LifecyclePhase.Condition,
    line: UInt,
    _ body: @escaping @Sendable () async throws -> Void
  ) async throws {
    try await (consume self).repeatWhile(condition, line: line) {
      MainActor.preconditionIsolated()
      try await body()
    }
  }

  @MainActor
  consuming func once<Value: Sendable>(
    _ condition: LifecyclePhase.Condition,
    line: UInt,
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await (consume self).perform(when: condition, line: line) { try body() }
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
