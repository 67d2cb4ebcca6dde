import Synchronization

/// The project's only lock: a `Mutex` that the thread sanitizer understands.
///
/// The sanitizer does not see the synchronisation inside `Mutex` on Linux and reports correct code
/// as a race. Built with `-DLIFECYCLE_TSAN`, every critical section tells it what the mutex does.
package struct Locked<Value: ~Copyable>: ~Copyable, Sendable {
  private let mutex: Mutex<Value>

  package init(_ value: consuming sending Value) {
    mutex = Mutex(value)
  }

  @inline(__always)
  package func withLock<Result: ~Copyable, Failure: Error>(
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
  @_silgen_name("__tsan_acquire") private func tsanAcquire(_ address: UnsafeMutableRawPointer)
  @_silgen_name("__tsan_release") private func tsanRelease(_ address: UnsafeMutableRawPointer)
#endif
