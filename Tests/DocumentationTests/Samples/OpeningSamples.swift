import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import Testing

/// A model that locks at launch and after a minute away, and asks for the password when active.
@MainActor
private final class Vault {
  var isLocked = false
  private(set) var requests = 0
  private(set) var hasShownWhatIsNew = false
  private let scope = LifecycleScope("vault")

  init(bus: LifecycleBus) {
    bus.onOpen(after: .seconds(60), in: scope) { [weak self] _ in self?.isLocked = true }
    bus.onOpen(at: .active, in: scope) { [weak self] _ in self?.askIfLocked() }
  }

  func showWhatIsNewNextTime(_ bus: LifecycleBus) {
    bus.publisher(for: .willEnterForeground).first()
      .sink { [weak self] _ in self?.showWhatIsNew() }
      .store(in: scope)
  }

  private func askIfLocked() { if isLocked { requests += 1 } }
  private func showWhatIsNew() { hasShownWhatIsNew.toggle() }
}

@MainActor
@Suite("A vault")
struct VaultTests {
  private let lifecycle = ScriptedLifecycle()

  @Test("It shows what is new once, at the next opening")
  func showsWhatIsNew() {
    let vault = Vault(bus: lifecycle.bus)
    lifecycle.perform(.launch, .becomeActive)
    vault.showWhatIsNewNextTime(lifecycle.bus)
    #expect(!vault.hasShownWhatIsNew)
    lifecycle.perform(.background(for: .seconds(1)), .background(for: .seconds(1)))
    #expect(vault.hasShownWhatIsNew)
  }
}
