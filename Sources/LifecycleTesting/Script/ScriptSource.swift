import LifecycleSupport
package import ReactiveLifecycle

/// The source that represents the system in a scripted lifecycle.
final class ScriptSource: LifecycleSource {
  let name: LifecycleSourceName = .script
  let input = Locked<LifecycleFeed?>(nil)

  func start(_ input: LifecycleFeed) throws -> @Sendable () -> Void {
    self.input.withLock { $0 = input }
    return {}
  }
}

extension LifecycleSourceName {
  /// The steps of a ``ScriptedLifecycle``.
  package static let script: Self = "script"
}
