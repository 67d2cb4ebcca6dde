import Foundation

/// Runs the body, and returns the time for which the thread had a processor. Other programs add nothing
/// to it, and neither does waiting.
public func processorTime(of body: () throws -> Void) rethrows -> Duration {
  func time() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
  let start = time()
  try body()
  return time() - start
}
