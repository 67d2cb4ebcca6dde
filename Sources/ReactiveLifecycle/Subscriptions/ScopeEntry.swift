/// An object that a scope holds, and ends when the scope ends.
///
/// A class, because a reference takes half the memory of an existential, and a scope may hold many.
///
/// `@unchecked Sendable`: it has no state. Each subclass documents why its own state is safe.
package class ScopeEntry: @unchecked Sendable {
  init() {}

  /// Ends the entry because the scope has ended. Called at most once, on the thread that ended the
  /// scope.
  func scopeDidEnd() {}

  /// A Boolean value that indicates whether nothing is left to end, so that the scope can release
  /// the entry.
  ///
  /// Called under the lock of the scope, so it must not call other code. An entry that gives up its
  /// place when it ends need not override it.
  var hasEnded: Bool { false }
}
