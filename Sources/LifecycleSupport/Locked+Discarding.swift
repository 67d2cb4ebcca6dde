// A critical section releases nothing, because a released object may run a `deinit` that takes the
// same lock. Without the empty closures below, optimized code releases an unused result inside the
// section.

extension Locked where Value: ~Copyable {
  /// Calls `body` under the lock, and releases the returned value after the lock.
  @inlinable
  @inline(__always)
  public func discard<Garbage>(_ body: (inout sending Value) -> sending Garbage) {
    let garbage = withLock(body)
    withExtendedLifetime(garbage) {}
  }

  /// Calls `body` under the lock, and releases the second returned value after the lock.
  ///
  /// - Returns: The first value that `body` returns.
  @inlinable
  @inline(__always)
  public func withLockDiscarding<Result, Garbage>(
    _ body: (inout sending Value) -> sending (Result, Garbage)
  ) -> sending Result {
    let (result, garbage) = withLock(body)
    withExtendedLifetime(garbage) {}
    return result
  }
}

extension Locked where Value: Sendable {
  /// Stores a value. If the old value is not used, it is released after the lock.
  ///
  /// - Returns: The old value.
  @inlinable
  @inline(__always)
  @discardableResult
  public func exchange(_ value: Value) -> Value {
    let old = withLock { current in
      let old = current
      current = value
      return old
    }
    withExtendedLifetime(old) {}
    return old
  }

  /// Stores nil. If the old value is not used, it is released after the lock.
  ///
  /// - Returns: The old value.
  @inlinable
  @inline(__always)
  @discardableResult
  public func take<Wrapped>() -> Value where Value == Wrapped? {
    exchange(nil)
  }
}
