import LifecycleSupport

/// Values that a test collects, in order, whichever thread they come from.
public final class Collector<Value: Sendable>: Sendable {
  private let state = Locked<[Value]>([])

  public init() {}

  public func callAsFunction(_ value: Value) {
    state.withLock { $0.append(value) }
  }

  public var values: [Value] { state.withLock { $0 } }
}
