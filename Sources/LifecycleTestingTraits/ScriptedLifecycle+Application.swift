import IssueReporting
import LifecycleCore
public import LifecycleTesting

extension ScriptedLifecycle {
  /// The life of the application in a test with the trait `.lifecycle`.
  ///
  /// Its bus is `LifecycleBus.application`, also after a relaunch.
  ///
  /// ```swift
  /// ScriptedLifecycle.application.perform(.launch, .becomeActive)
  /// ```
  ///
  /// In a test without the trait, each access reports an issue.
  @MainActor
  public static var application: ScriptedLifecycle {
    if let current = RunningTest.application { return current.lifecycle }
    reportIssue(
      """
      ScriptedLifecycle.application is the application of a test with the trait .lifecycle, \
      which this test does not have. Add @Test(.lifecycle) or @Suite(.lifecycle).
      """
    )
    return ScriptedLifecycle()
  }
}

/// The application of the running test.
enum RunningTest {
  @TaskLocal static var application: TestApplication?
}

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
