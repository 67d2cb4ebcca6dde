import LifecycleSupport
import ReactiveLifecycle

/// A handler, as shared by the coordinator, its registration and the fetches under way.
final class BackgroundFetchHandler: Sendable {
  enum Body: Sendable {
    case returning(@Sendable () async throws -> BackgroundFetchReport.Handler.Outcome)
    case completing(@isolated(any) @Sendable (BackgroundFetchCompletion) -> Void)
  }

  private struct State {
    var membership: ScopeMembership?
    var isRemoved = false
  }

  let name: String
  let site: CallSite
  private let core: BackgroundFetchCore
  private let state = Locked(State())

  init(_ name: String, of core: BackgroundFetchCore, addedAt site: CallSite) {
    self.name = name
    self.core = core
    self.site = site
  }

  var isRemoved: Bool { state.withLock { $0.isRemoved } }

  /// Records its registration's place in a scope.
  func join(_ membership: ScopeMembership) {
    state.withLock { $0.membership = membership }
  }

  func remove() {
    guard let old = markRemoved() else { return }
    old.membership?.withdraw()
    core.remove(self)
  }

  /// Removes the handler from its scope, when the coordinator no longer holds it.
  func detach() {
    markRemoved()?.membership?.withdraw()
  }

  private func markRemoved() -> State? {
    state.withLock { state in
      guard !state.isRemoved else { return nil }
      defer { state = State(isRemoved: true) }
      return state
    }
  }
}
