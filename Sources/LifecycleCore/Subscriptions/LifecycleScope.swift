/// An owner of subscriptions that ends them together: explicitly, with its parent, at an event, or
/// when it is released.
///
/// A scope ends once. Keep it in a property. A scope that is made in the call that adds to it, as
/// in `bus.addObserver(in: LifecycleScope()) { … }`, ends with that call, which is reported at
/// the caller's line. A local scope whose last use is that call may end there, too: optimized code
/// releases it after its last use. A child scope that an observer makes and does not keep ends with
/// the observer's call, which is reported at the line that starts a task in it.
///
/// Ending a scope cancels everything in reverse order of insertion, on the thread that ends it. A
/// scope does not keep its parent alive, and a parent does not keep its children alive.
///
/// ```swift
/// let scope = LifecycleScope("rental list")
/// bus.onReturn(in: scope) { stay in refresh(after: stay.timeAway) }
/// scope.end()
/// ```
///
/// A closure that captures the scope's owner strongly keeps the owner alive until the scope ends.
/// Capture it weakly, or register the owner instead of a scope.
public final class LifecycleScope: Sendable {
  /// The contents of the scope.
  ///
  /// A call that adds to a scope takes it as `consuming`, and continues with
  /// `(consume scope).core`. If the call has the last reference, the scope ends there, before
  /// anything is added, and the call reports that at the caller's line. Otherwise the scope would
  /// end after the call, and silently cancel what was added.
  package let core: ScopeCore

  /// Creates a scope.
  ///
  /// - Parameters:
  ///   - name: The name that reports show.
  ///   - parent: A scope that ends this one when it ends. If the parent has ended already, so has
  ///     this scope, and that is reported at the caller's line.
  public init(
    _ name: String = "",
    parent: consuming LifecycleScope? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    core = ScopeCore(name: name)
    guard let parent = (consume parent)?.core else { return }
    let site = CallSite(fileID, filePath, line, column)
    parent.insert(site) { [core] membership in
      core.join(membership)
      return core
    }
  }

  deinit {
    core.scopeWasReleased()
  }

  /// The name that reports show.
  public var name: String { core.name }

  /// A Boolean value that indicates whether the scope has ended. Thread-safe.
  public var isEnded: Bool { core.isEnded }

  /// Cancels everything that the scope holds, in reverse order of insertion. Has no effect if the
  /// scope has ended.
  ///
  /// Thread-safe. The cancellations run on the calling thread, and so does the work that an
  /// `AnyCancellable` performs when it is cancelled. The captures of an observer of a
  /// ``LifecycleBus`` are released on the main actor.
  ///
  /// - Complexity: O(*n*) in the members of the scope.
  public func end() {
    core.end()
  }

  /// Runs a closure when the scope ends, in its turn: everything that the scope holds ends in
  /// reverse order of insertion.
  ///
  /// The closure runs once, on the thread that ends the scope. If the scope has ended, the closure
  /// runs at once, and this is reported at the caller's line. Thread-safe.
  ///
  /// ```swift
  /// let connection = try server.open()
  /// scope.onEnd { connection.close() }
  /// ```
  ///
  /// - Parameter body: Called at the end of the scope.
  /// - Complexity: O(1) amortized.
  public consuming func onEnd(
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ body: @escaping @Sendable () -> Void
  ) {
    let core = (consume self).core
    if !core.admit(makeEntry: { _ in EndAction(body) }) {
      let site = CallSite(fileID, filePath, line, column)
      core.reportEnd(site, "the closure that was added to it ran")
    }
  }
}

extension LifecycleScope: CustomStringConvertible {
  /// `scope "rental list"`, followed by `(ended)` if the scope has ended.
  public var description: String {
    "scope \"\(name)\"\(isEnded ? " (ended)" : "")"
  }
}
