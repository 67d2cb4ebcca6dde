import LifecycleTesting
import ReactiveLifecycle
import Testing

/// The user's defaults, which are empty before the first unlock.
private struct Defaults {
  let lifecycle: ScriptedLifecycle

  func string(forKey key: String) -> String? {
    lifecycle.bus.isProtectedDataAvailable ? "Ada" : nil
  }
}

@MainActor
private final class UserViewModel {
  private(set) var user: String?

  init(_ defaults: Defaults, bus: LifecycleBus) {
    Task { try await load(defaults, bus) }
  }

  private func load(_ defaults: Defaults, _ bus: LifecycleBus) async throws {
    if defaults.string(forKey: "user") == nil { try await bus.waitForProtectedData() }
    let user = defaults.string(forKey: "user")
    self.user = user
  }
}

@Suite("Samples: before the first unlock")
@MainActor
struct PrewarmingSamples {
  @Test("A view model launched before the first unlock reads its user after it")
  func beforeFirstUnlock() async throws {
    var launched: UserViewModel?
    let lifecycle = ScriptedLifecycle { process in
      launched = UserViewModel(Defaults(lifecycle: process), bus: process.bus)
    }
    var viewModel: UserViewModel { launched! }
    await lifecycle.perform(.launchBeforeFirstUnlock)
    #expect(viewModel.user == nil)
    await lifecycle.perform(.send(.protectedDataDidBecomeAvailable))
    #expect(viewModel.user == "Ada")
  }
}
