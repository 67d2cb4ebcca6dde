/// A place in a scope.
package struct ScopeMembership: Sendable {
  let scope: ScopeCore
  let id: Int

  /// Gives up the place: the scope no longer holds what was there.
  package func withdraw() {
    scope.withdraw(id)
  }
}
