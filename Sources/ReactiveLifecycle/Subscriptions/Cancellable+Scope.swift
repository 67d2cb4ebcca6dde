public import LifecycleCombine

extension AnyCancellable {
  /// Stores the cancellable in a scope, which cancels it when it ends.
  ///
  /// `AnyCancellable` and `sink` are Combine's: `import LifecycleCombine`, a product of this package, which
  /// is Combine on Apple platforms and OpenCombine elsewhere.
  ///
  /// The scope cancels it once, on the thread that ends the scope. End the scope on the main actor,
  /// or hold it in an object that is released there, if the cancellable does something that belongs
  /// there. Keep no other reference to it that another thread cancels: OpenCombine's
  /// `AnyCancellable` does not allow that.
  ///
  /// The scope can't know whether the cancellable has been cancelled elsewhere, or its publisher has
  /// completed: it holds it until the scope ends, as a `Set<AnyCancellable>` does. Such a `sink` takes
  /// 200 to 450 bytes. In a scope that lives as long as the process, store publishers that go on, and
  /// give requests that come and go a scope each, with this one as the parent.
  ///
  /// On a scope that has ended it is cancelled at once, and that is reported at the caller's line.
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
  /// when it ends. No import besides `ReactiveLifecycle` is needed for this library's own; Combine's are in
  /// `LifecycleCombine`.
  ///
  /// A token or another cancellable of this library that has ended elsewhere is released by the scope
  /// as others are stored.
  ///
  /// - Complexity: O(log *n*) in the members of the scope, amortized.
  ///
  /// On a scope that has ended it is cancelled at once, and that is reported at the caller's line.
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
