/// The project's only lock: a `Mutex` that the thread sanitizer understands.
///
/// On Linux, the sanitizer does not see the synchronization inside `Mutex` and reports correct code
/// as a race. In a build with `-DLIFECYCLE_TSAN`, every critical section reports to the sanitizer
/// what the mutex does.
///
/// The type is public, in a module that is not a product, because `package` functions are not
/// inlined into other modules (Swift 6.3), and calling the generic function would take as long as
/// starting a countdown.
public struct Locked<Value: ~Copyable>: ~Copyable, Sendable {
  @usableFromInline let mutex: Mutex<Value>

  @inlinable
  public init(_ value: consuming sending Value) {
    mutex = Mutex(value)
  }

  @inlinable
  @inline(__always)
  public func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    #if LIFECYCLE_TSAN
      try withReportedLock(body)
    #else
      try mutex.withLock(body)
    #endif
  }
}

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

// MARK: The thread sanitizer

#if LIFECYCLE_TSAN
  extension Locked where Value: ~Copyable {
    /// Copies the array that `body` returns, where its type is known to be one.
    ///
    /// Generic code, and a collection inside of another value, have to ask for
    /// `unsharedForSanitizer`.
    @inlinable
    public func withLock<Element, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending [Element]
    ) throws(Failure) -> sending [Element] {
      try withReportedLock { value throws(Failure) in try body(&value).unsharedForSanitizer }
    }

    @inlinable
    func withReportedLock<Result: ~Copyable, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
      #if canImport(Darwin) || LIFECYCLE_APPLE_LOCK
        // It reports, too, before it accesses the value.
        try mutex.withLock(body)
      #else
        try mutex.withLock { value throws(Failure) -> sending Result in
          let address = withUnsafePointer(to: mutex) { UnsafeMutableRawPointer(mutating: $0) }
          tsanAcquire(address)
          defer { tsanRelease(address) }
          return try body(&value)
        }
      #endif
    }
  }

  @usableFromInline @_silgen_name("__tsan_acquire") func tsanAcquire(
    _ address: UnsafeMutableRawPointer
  )
  @usableFromInline @_silgen_name("__tsan_release") func tsanRelease(
    _ address: UnsafeMutableRawPointer
  )
#endif

extension Array {
  /// The array; under the thread sanitizer, a copy with separate storage.
  ///
  /// A reader that releases its array lets the next critical section write in place. The reference
  /// count orders them, which the sanitizer does not see: it reports correct code as a race.
  @inlinable
  public var unsharedForSanitizer: [Element] {
    #if LIFECYCLE_TSAN
      map { $0 }
    #else
      self
    #endif
  }
}

extension Dictionary {
  /// The dictionary; under the thread sanitizer, a copy with separate storage.
  @inlinable
  public var unsharedForSanitizer: Self {
    #if LIFECYCLE_TSAN
      mapValues { $0 }
    #else
      self
    #endif
  }
}

// MARK: A flag

/// A flag that is read by a relaxed load, which is inlined into other modules.
///
/// The type is public for the reason that `Locked` is. A flag that belongs to an object with weak
/// references is better read from here: a call to that object would count a reference to it, which
/// takes longer.
public final class SharedFlag: Sendable {
  @usableFromInline let value = Atomic(false)

  public init() {}

  @inlinable public var isOn: Bool { value.load(ordering: .relaxed) }

  public func set(_ isOn: Bool) {
    value.store(isOn, ordering: .relaxed)
  }
}
