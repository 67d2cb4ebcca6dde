public import LifecycleCombine
import LifecycleSupport

/// A handle on something that is cancelled once: an observer, a source's connection, a clock's
/// timer, a handler's registration.
///
/// Either ``cancel()`` or the release of the handle cancels it, whichever comes first, on the
/// thread that does so: keep it, or store it in a scope. What is added to a scope or to an owner
/// has no handle: it ends with the scope or the owner.
///
/// ```swift
/// let token = bus.addObserver(for: .didEnterBackground) { event in save() }
/// token.cancel()
/// ```
///
/// Thread-safe. A cancellation takes effect at once, also during a delivery and from another
/// thread, which may still be making a call, or about to. Cancelling again has no effect, and does
/// not wait for another thread that is cancelling.
/// A handle does not keep its bus alive.
public final class LifecycleCancellable: Cancellable, Sendable {
  private let entry: ScopeEntry

  /// Creates a cancellable, as a clock does for its timers.
  ///
  /// For a timer of a ``LifecycleClock``, the closure withdraws the scheduled call from the clock
  /// and releases it. If another thread is about to make the call, it may still do so.
  ///
  /// - Parameter onCancel: Called once, on the thread that cancels or releases the cancellable; for
  ///   a timer also after it has fired.
  public init(_ onCancel: @escaping @Sendable () -> Void) {
    entry = CancelAction(onCancel)
  }

  /// Creates the handle on an observer.
  init(_ entry: ScopeEntry) {
    self.entry = entry
  }

  deinit {
    cancel()
  }

  /// A Boolean value that indicates whether the handle has been cancelled, or its observer has
  /// ended with the bus. Thread-safe.
  public var isCancelled: Bool { entry.hasEnded }

  /// Cancels what the handle stands for. Has no effect if it has been cancelled before.
  /// Thread-safe.
  ///
  /// - Complexity: O(1) amortized for an observer.
  public func cancel() {
    entry.end()
  }

  /// Stores the handle in a scope, which cancels it when it ends.
  ///
  /// A handle that has been cancelled elsewhere is released as others are stored. If the scope has
  /// ended, the handle is cancelled at once, and this is reported at the caller's line.
  ///
  /// ```swift
  /// connection.store(in: scope)
  /// ```
  ///
  /// - Complexity: O(log *n*) in the members of the scope, amortized.
  public func store(
    in scope: consuming LifecycleScope,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    store(in: (consume scope).core, CallSite(fileID, filePath, line, column))
  }

  package func store(in scope: ScopeCore, _ site: CallSite) {
    scope.store(CancellableEntry(self), site)
  }
}

/// A closure that is called once.
///
/// `@unchecked Sendable`, as its superclass is: it adds only a lock.
private final class CancelAction: ScopeEntry, @unchecked Sendable {
  private let body: Locked<(@Sendable () -> Void)?>

  init(_ body: @escaping @Sendable () -> Void) {
    self.body = Locked(body)
    super.init()
  }

  override func end() { body.take()?() }

  override var hasEnded: Bool { body.withLock { $0 == nil } }
}

/// A handle that a scope cancels.
///
/// `@unchecked Sendable`, as its superclass is: it adds only a constant, which is `Sendable`.
private final class CancellableEntry: ScopeEntry, @unchecked Sendable {
  private let cancellable: LifecycleCancellable

  init(_ cancellable: LifecycleCancellable) {
    self.cancellable = cancellable
    super.init()
  }

  override func end() { cancellable.cancel() }

  override var hasEnded: Bool { cancellable.isCancelled }
}

extension AnyCancellable {
  /// Stores the cancellable in a scope, which cancels it when it ends.
  ///
  /// `AnyCancellable` and `sink` are Combine's. Import `LifecycleCombine`, a product of this
  /// package: it is Combine on Apple platforms and OpenCombine elsewhere.
  ///
  /// The scope cancels it once, on the thread that ends the scope. If the cancellation must happen
  /// on the main actor, end the scope there, or hold the scope in an object that is released there.
  /// Keep no other reference that another thread cancels: OpenCombine's `AnyCancellable` does not
  /// allow that.
  ///
  /// The scope can't know whether the cancellable has been cancelled elsewhere, or whether its
  /// publisher has completed. It holds the cancellable until the scope ends, as a
  /// `Set<AnyCancellable>` does. In a scope that lives as long as the process, store subscriptions
  /// to long-lived publishers. Give each short-lived request its own scope, with this one as the
  /// parent.
  ///
  /// If the scope has ended, the cancellable is cancelled at once, and this is reported at the
  /// caller's line.
  ///
  /// ```swift
  /// bus.events.sink { print($0.kind) }.store(in: scope)
  /// ```
  public func store(
    in scope: consuming LifecycleScope,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    store(in: (consume scope).core, CallSite(fileID, filePath, line, column))
  }

  package func store(in scope: ScopeCore, _ site: CallSite) {
    scope.store(AnyCancellableEntry(self), site)
  }
}

/// A cancellable of Combine that a scope cancels once.
///
/// `@unchecked Sendable`: the reference is only cancelled and released, and only by the one thread
/// that took the entry out of the scope's table under the scope's lock.
private final class AnyCancellableEntry: ScopeEntry, @unchecked Sendable {
  private let cancellable: AnyCancellable

  init(_ cancellable: AnyCancellable) {
    self.cancellable = cancellable
    super.init()
  }

  override func end() { cancellable.cancel() }
}
