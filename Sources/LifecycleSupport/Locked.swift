public import Synchronization

/// The project's only lock: a `Mutex` that the thread sanitizer understands.
///
/// The sanitizer does not see the synchronisation inside `Mutex` on Linux and reports correct code
/// as a race. Built with `-DLIFECYCLE_TSAN`, every critical section tells it what the mutex does.
///
/// Public, in a module that is no product: functions that are `package` are not inlined into other
/// modules (Swift 6.3), and a call of the generic one would take as long as a whole countdown's start.
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
      try mutex.withLock { value throws(Failure) -> sending Result in
        let address = withUnsafePointer(to: mutex) { UnsafeMutableRawPointer(mutating: $0) }
        tsanAcquire(address)
        defer { tsanRelease(address) }
        return try body(&value)
      }
    #else
      try mutex.withLock(body)
    #endif
  }
}

#if LIFECYCLE_TSAN
  @usableFromInline @_silgen_name("__tsan_acquire") func tsanAcquire(
    _ address: UnsafeMutableRawPointer
  )
  @usableFromInline @_silgen_name("__tsan_release") func tsanRelease(
    _ address: UnsafeMutableRawPointer
  )
#endif
