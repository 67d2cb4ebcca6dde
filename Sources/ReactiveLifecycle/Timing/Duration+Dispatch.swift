import Dispatch

extension Duration {
  /// The time to wait, rounded up to nanoseconds; zero for a negative duration.
  var dispatchInterval: DispatchTimeInterval {
    let nanoseconds = (self / .nanoseconds(1)).rounded(.up)
    // 10¹⁸ ns are 31 years; the longest durations do not fit in an `Int` of nanoseconds.
    return .nanoseconds(Int(min(max(nanoseconds, 0), 1e18)))
  }
}
