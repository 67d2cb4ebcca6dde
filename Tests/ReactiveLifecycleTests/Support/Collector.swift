import LifecycleSupport
import ReactiveLifecycle

/// Values that a test collects, in order, whichever thread they come from.
final class Collector<Value: Sendable>: Sendable {
  private let state = Locked<[Value]>([])

  func callAsFunction(_ value: Value) {
    state.withLock { $0.append(value) }
  }

  var values: [Value] { state.withLock { $0 } }
}
