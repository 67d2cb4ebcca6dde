/// What a scope holds, and ends when it ends itself.
///
/// A class: a reference to one takes half the memory of an existential, and a scope may hold many.
///
/// `@unchecked Sendable`: it has no state; each subclass says why its own is safe.
package class ScopeEntry: @unchecked Sendable {
  init() {}

  /// The scope has ended. Called once at most, on the thread that ended it.
  func scopeDidEnd() {}

  /// Whether nothing is left to end, so that the scope can release it. Asked for under the lock of the
  /// scope, so it must call nobody. Those that give up their places themselves need not say it.
  var hasEnded: Bool { false }
}
