import LifecycleSupport
package import ReactiveLifecycle

/// A source that reports what a script tells it to: the system in a scripted lifecycle, or a source
/// of a recording.
final class ScriptSource: LifecycleSource {
  let name: LifecycleSourceName
  let input = Locked<LifecycleFeed?>(nil)

  init(name: LifecycleSourceName = .script) {
    self.name = name
  }

  func start(_ input: LifecycleFeed) throws -> @Sendable () -> Void {
    self.input.withLock { $0 = input }
    return {}
  }
}

extension LifecycleSourceName {
  /// The steps of a ``ScriptedLifecycle``.
  package static let script: Self = "script"
}
