/// An object that can be stored in a scope, which ends it when the scope ends.
package protocol ScopeMember: AnyObject, Sendable {
  /// Ends the member because a scope has ended. Called at most once for each scope that holds the
  /// member, on the thread that ended the scope.
  func scopeDidEnd()

  /// A Boolean value that indicates whether nothing is left to end, so that the scope can release
  /// the member.
  ///
  /// Called under the lock of the scope, so it must not call other code. A member that gives up its
  /// place when it ends need not implement it.
  var hasEnded: Bool { get }
}

extension ScopeMember {
  package var hasEnded: Bool { false }
}
