public import LifecycleCore
import LifecycleSupport

/// Values that a test collects, in order, whichever thread they come from.
public final class Collector<Value: Sendable>: Sendable {
  private let state = Locked<[Value]>([])

  public init() {}

  public func callAsFunction(_ value: Value) {
    state.withLock { $0.append(value) }
  }

  public var values: [Value] { state.withLock { $0 } }

  /// Hands out the values and starts again.
  public func take() -> [Value] {
    state.withLock { values in
      defer { values = [] }
      return values
    }
  }
}

/// What happened in a test, in order, whichever thread it happened on.
public typealias Trace = Collector<String>

extension Trace {
  public var lines: [String] { values }
}

extension LifecycleEvent {
  /// The event as traces show it: `3 didBecomeActive inactive→active manual`.
  public var line: String { "\(sequenceNumber) \(kind) \(previousPhase)→\(phase) \(origin)" }

  /// The event as short traces show it: `3 didBecomeActive`.
  public var shortLine: String { "\(sequenceNumber) \(kind)" }
}

extension SuppressedInput {
  /// The input as traces show it: `didBecomeActive duplicate manual`.
  public var line: String { "\(kind) \(reason) \(origin)" }
}

extension LifecycleSendResult {
  /// The outcome as traces show it: `delivered`, `queued`, `suppressed duplicate`.
  public var line: String {
    suppressionReason.map { "suppressed \($0)" } ?? description
  }
}

/// A count that any thread may change.
public final class Counter: Sendable {
  private let value = Locked(0)

  public init() {}

  public var count: Int { value.withLock { $0 } }

  /// Adds one.
  ///
  /// - Returns: The new count.
  @discardableResult
  public func add() -> Int {
    value.withLock { value in
      value += 1
      return value
    }
  }

  public func subtract() { value.withLock { $0 -= 1 } }
}
