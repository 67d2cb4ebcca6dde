import LifecycleTesting
import ReactiveLifecycle

/// The application of a test with the trait `.lifecycle`.
@MainActor
final class TestApplication {
  let lifecycle = ScriptedLifecycle()
  /// Returns the bus of the process that was launched last.
  nonisolated let currentBus: @Sendable () -> LifecycleBus

  init() {
    ScriptAccounts.current?.setApplication(lifecycle.account)
    let bus = lifecycle.currentBus
    // Code of the test that continues after it finds no bus.
    currentBus = { bus() ?? LifecycleBus() }
  }
}
