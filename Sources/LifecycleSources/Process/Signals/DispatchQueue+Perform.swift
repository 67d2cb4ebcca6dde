import Dispatch

extension DispatchQueue {
  /// Calls the body on the queue, and returns when it has returned, or when the time has passed.
  ///
  /// The time is that of `RunningTime`, in slices: the process may be frozen meanwhile.
  func perform(within slices: Int, _ body: @escaping @Sendable () -> Void) {
    let returned = DispatchSemaphore(value: 0)
    async {
      body()
      returned.signal()
    }
    let slice = DispatchTimeInterval.nanoseconds(Int(RunningTime.slice / .nanoseconds(1)))
    for _ in 0..<slices where returned.wait(timeout: .now() + slice) == .success { return }
  }
}
