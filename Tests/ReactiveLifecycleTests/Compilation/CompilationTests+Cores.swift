extension CompilationTests {
  /// What other packages can do with the core of a bus: pass it on.
  static let cores = [
    Sample(
      name: "Another type returns the core of a bus",
      error: nil,
      code: """
        final class ScreenBus: LifecycleBusProtocol {
          private let bus = NonisolatedLifecycleBus()
          var core: LifecycleBusCore { bus.core }
        }
        func observe(_ bus: ScreenBus) -> LifecycleSubscription { bus.addObserver { _ in } }
        """
    ),
    Sample(
      name: "A core that another package creates",
      error: "'LifecycleBusCore' initializer is inaccessible due to 'internal' protection level",
      code: """
        func show(_ value: Any) {}
        func makeCore() { show(LifecycleBusCore.init) }
        """
    ),
    Sample(
      name: "The phase of a core",
      error: "'phase' is inaccessible due to 'package' protection level",
      code: "func phase(_ bus: LifecycleBus) -> LifecyclePhase { bus.core.phase }"
    ),
    Sample(
      name: "The clock of a core",
      error: "'clock' is inaccessible due to 'package' protection level",
      code: "func clock(_ bus: LifecycleBus) -> any LifecycleClock { bus.core.clock }"
    ),
  ]
}
