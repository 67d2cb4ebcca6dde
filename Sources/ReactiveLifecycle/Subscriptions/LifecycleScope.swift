/// Owns subscriptions, and ends them together: explicitly, with its parent, at an event, or when it
/// is released. It ends once.
///
/// Keep it in a property. A scope that is made in the call that adds to it, as in
/// `bus.addObserver(in: LifecycleScope()) { … }`, ends with that call, which is reported at the caller's line.
/// So may a local one be whose last use is that call: optimized code releases it there.
///
/// Ending cancels everything in reverse order of insertion, on the thread that ends it. A scope does
/// not keep its parent alive, nor a parent its children.
///
/// ```swift
/// let scope = LifecycleScope("rental list")
/// bus.onReturn(in: scope) { stay in refresh(after: stay.duration) }
/// scope.end()
/// ```
///
/// A closure that captures the scope's owner strongly keeps it alive until the scope ends; capture
/// it weakly, or register the owner instead of a scope.
public final class LifecycleScope: Sendable {
  package let core: ScopeCore

  /// A scope.
  ///
  /// - Parameters:
  ///   - name: What reports show.
  ///   - parent: Ends this scope when it ends. If it has ended already, so has this scope, and that
  ///     is reported at the caller's line.
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
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
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

  /// Whether the scope has ended.
  public var isEnded: Bool { core.isEnded }

  /// Cancels everything that the scope holds, last in first out. The second call does nothing.
  ///
  /// Any thread; the cancellations run on it, and so does what an `AnyCancellable` does when it is
  /// cancelled. What an observer of a ``LifecycleBus`` captured is released on the main actor. O(n)
  /// in what the scope holds.
  public func end() {
    core.end()
  }
}

extension LifecycleScope: CustomStringConvertible {
  /// `scope "rental list"`, followed by `(ended)` if the scope has ended.
  public var description: String {
    "scope \"\(name)\"\(isEnded ? " (ended)" : "")"
  }
}
