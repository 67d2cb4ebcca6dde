import BenchmarkSupport
import ReactiveLifecycle

/// Sends with a fixed instant: the clocks are not read. On the main thread a `LifecycleBus` has
/// delivered when `send` returns.
func send(_ count: Int, to bus: some LifecycleBusProtocol) {
  let instant = LifecycleInstant.sample
  for _ in 0..<count { bus.send(.didReceiveMemoryWarning, at: instant) }
}

extension SendingFixture {
  /// Keeps the bus and its observers.
  init(_ bus: some LifecycleBusProtocol, keeping kept: Any) {
    self.init(keeping: kept) { count in send(count, to: bus) }
  }
}
