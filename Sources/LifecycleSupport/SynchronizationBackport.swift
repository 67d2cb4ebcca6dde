// swift-format-ignore-file: AlwaysUseLowerCamelCase

// `Mutex` and `Atomic` are those of Synchronization. Apple's platforms have it since iOS 18 and
// macOS 15, which is above the minimum of this package, so they get the substitutes below, with the
// members that are used here. With `-DLIFECYCLE_APPLE_LOCK`, Linux gets them, too: to test and to
// count.
#if canImport(Darwin)
  public import CLifecycleAtomics
  public import Darwin
#elseif LIFECYCLE_APPLE_LOCK
  public import CLifecycleAtomics
  public import Synchronization
#else
  @_exported public import Synchronization
#endif

#if canImport(Darwin) || LIFECYCLE_APPLE_LOCK
  // The pointers are safe: a stored property has no permanent address, so the lock, the value and
  // the atomics are in memory that `init` allocates and initializes, before another thread can have
  // the pointer, and that `deinit` frees, when nothing else has it. The types can't be copied. The
  // value is accessed only between locking and unlocking, an atomic only by atomic operations.
  //
  // `OSAllocatedUnfairLock` would hide the pointers, but it has no typed throws, and can't run here.

  @usableFromInline
  struct Mutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    /// The beginning of the memory.
    @usableFromInline let lock: UnsafeMutablePointer<os_unfair_lock_s>
    @usableFromInline let value: UnsafeMutablePointer<Value>

    @inlinable
    init(_ initialValue: consuming sending Value) {
      // The greater of two powers of two is a multiple of the other.
      let offset = max(MemoryLayout<os_unfair_lock_s>.stride, MemoryLayout<Value>.alignment)
      let memory = UnsafeMutableRawPointer.allocate(
        byteCount: offset + MemoryLayout<Value>.size,
        alignment: max(MemoryLayout<os_unfair_lock_s>.alignment, MemoryLayout<Value>.alignment)
      )
      lock = memory.bindMemory(to: os_unfair_lock_s.self, capacity: 1)
      value = (memory + offset).bindMemory(to: Value.self, capacity: 1)
      lock.initialize(to: os_unfair_lock_s())
      value.initialize(to: initialValue)
    }

    @inlinable
    deinit {
      value.deinitialize(count: 1)
      lock.deinitialize(count: 1)
      UnsafeMutableRawPointer(lock).deallocate()
    }

    @inlinable
    @inline(__always)
    func withLock<Result: ~Copyable, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
      os_unfair_lock_lock(lock)
      defer { os_unfair_lock_unlock(lock) }
      return try body(&value.pointee)
    }
  }

  /// A `Bool` or an `Int` that threads share.
  public struct Atomic<Value: BitwiseCopyable>: ~Copyable, @unchecked Sendable {
    /// Every operation is at least as strong as each of these: loads acquire, and stores release.
    public enum Ordering { case relaxed, acquiring, releasing, acquiringAndReleasing }

    @usableFromInline let address: UnsafeMutablePointer<Value>

    public init(_ initialValue: Value) {
      address = .allocate(capacity: 1)
      address.initialize(to: initialValue)
    }

    deinit { address.deallocate() }
  }

  extension Atomic<Bool> {
    @inlinable public func load(ordering: Ordering) -> Bool { lifecycle_load_flag(address) }

    @inlinable public func store(_ value: Bool, ordering: Ordering) {
      lifecycle_store_flag(address, value)
    }

    @inlinable public func exchange(_ value: Bool, ordering: Ordering) -> Bool {
      lifecycle_exchange_flag(address, value)
    }
  }

  extension Atomic<Int> {
    @inlinable public func load(ordering: Ordering) -> Int { lifecycle_load_number(address) }

    @inlinable public func store(_ value: Int, ordering: Ordering) {
      lifecycle_store_number(address, value)
    }

    @discardableResult
    @inlinable public func add(_ value: Int, ordering: Ordering) -> (oldValue: Int, newValue: Int) {
      let old = lifecycle_add_to_number(address, value)
      return (old, old &+ value)
    }
  }
#endif

#if LIFECYCLE_APPLE_LOCK && !canImport(Darwin)
  /// Stands for Darwin's lock.
  @usableFromInline
  struct os_unfair_lock_s: ~Copyable {
    @usableFromInline let mutex = Synchronization.Mutex(())

    @usableFromInline init() {}
  }

  @inlinable
  @inline(__always)
  func os_unfair_lock_lock(_ lock: UnsafeMutablePointer<os_unfair_lock_s>) {
    lock.pointee.mutex._unsafeLock()
    #if LIFECYCLE_TSAN
      tsanAcquire(lock)
    #endif
  }

  @inlinable
  @inline(__always)
  func os_unfair_lock_unlock(_ lock: UnsafeMutablePointer<os_unfair_lock_s>) {
    #if LIFECYCLE_TSAN
      tsanRelease(lock)
    #endif
    lock.pointee.mutex._unsafeUnlock()
  }
#endif
