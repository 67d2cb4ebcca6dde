public import LifecycleCombine

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
  /// `Set<AnyCancellable>` does. Such a `sink` takes up to 450 bytes. In a scope that lives as
  /// long as the process, store subscriptions to long-lived publishers. Give each short-lived
  /// request its own scope, with this one as the parent.
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
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let scope = (consume scope).core
    scope.store(CancellableBox(self), site)
  }
}

extension Cancellable where Self: Sendable {
  /// Stores the cancellable, such as a token or a source's connection, in a scope, which cancels it
  /// when it ends.
  ///
  /// For the cancellables of this library, no import besides `ReactiveLifecycle` is needed;
  /// Combine's are in `LifecycleCombine`.
  ///
  /// If a token or another cancellable of this library has ended elsewhere, the scope releases it
  /// as others are stored.
  ///
  /// If the scope has ended, the cancellable is cancelled at once, and this is reported at the
  /// caller's line.
  ///
  /// - Complexity: O(log *n*) in the members of the scope, amortized.
  public func store(
    in scope: consuming LifecycleScope,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let scope = (consume scope).core
    let member = self as? any ScopeMember
    scope.store(member.map(ScopeMemberBox.init) ?? CancellableBox(self), site)
  }
}
