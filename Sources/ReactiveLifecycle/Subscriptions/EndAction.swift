/// A closure that a scope runs when it ends.
///
/// `@unchecked Sendable`: `membership` and `cancellable` are set before any other code knows the
/// entry, and are read-only afterwards.
final class EndAction: ScopeEntry, @unchecked Sendable {
  private let body: @Sendable () -> Void
  private var membership: ScopeMembership?
  /// Withdraws the closure. The entry keeps it, because its release would withdraw the closure too;
  /// it keeps the entry until it is cancelled or retired.
  private var cancellable: LifecycleCancellable?

  private init(_ body: @escaping @Sendable () -> Void) {
    self.body = body
    super.init()
  }

  /// Adds a closure to a scope. If the scope has ended, the closure runs at once, and this is
  /// reported at the caller's line.
  ///
  /// - Returns: The cancellable that withdraws the closure.
  static func add(
    to scope: ScopeCore,
    _ site: CallSite,
    _ body: @escaping @Sendable () -> Void
  ) -> LifecycleCancellable {
    let action = EndAction(body)
    let cancellable = LifecycleCancellable { action.membership?.withdraw() }
    action.cancellable = cancellable
    let wasAdmitted = scope.admit { membership in
      action.membership = membership
      return action
    }
    if !wasAdmitted { scope.reportEnd(site, "the closure that was added to it ran") }
    return cancellable
  }

  override func scopeDidEnd() {
    if cancellable?.retire() == true { body() }
  }
}
