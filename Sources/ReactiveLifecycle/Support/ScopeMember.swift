/// What can be stored in a scope, which ends it when it ends itself.
package protocol ScopeMember: AnyObject, Sendable {
  /// A scope has ended. Called once at most for each scope that holds the member, on the thread that
  /// ended it.
  func scopeDidEnd()

  /// Whether nothing is left to end, so that the scope can release it. Asked for under the lock of the
  /// scope, so it must call nobody. A member that gives up its place by itself need not say it.
  var hasEnded: Bool { get }
}

extension ScopeMember {
  package var hasEnded: Bool { false }
}
