import Dispatch

extension DispatchQueue {
  /// Calls the body on the queue, and returns when it has returned, or when the time has passed.
  func perform(within time: DispatchTimeInterval, _ body: @escaping @Sendable () -> Void) {
    let returned = DispatchSemaphore(value: 0)
    async {
      body()
      returned.signal()
    }
    _ = returned.wait(timeout: .now() + time)
  }
}
