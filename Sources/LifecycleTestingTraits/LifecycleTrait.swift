import LifecycleFlightRecording
import LifecycleSupport
import LifecycleTesting
import LifecycleTimelines
import ReactiveLifecycle
public import Testing

/// A trait that gives each test its own application, with a bus in virtual time.
///
/// See `Trait.lifecycle`.
public struct LifecycleTrait: TestTrait, SuiteTrait, TestScoping {
  public var isRecursive: Bool { true }

  public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
    testCase == nil ? nil : self
  }

  public func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @Sendable () async throws -> Void
  ) async throws {
    let accounts = ScriptAccounts()
    let failure = TestFailure()
    do {
      try await failure.watch(test, testCase) {
        try await ScriptAccounts.$current.withValue(accounts) {
          try await Self.withApplication(performing: function)
        }
      }
    } catch {
      await accounts.attach(to: test)
      throw error
    }
    if failure.isKnown { await accounts.attach(to: test) }
  }

  private static func withApplication(
    performing function: @Sendable () async throws -> Void
  ) async throws {
    let application = await TestApplication()
    try await RunningTest.$application.withValue(application) {
      try await LifecycleBus.withApplication(from: application.currentBus) {
        try await function()
      }
    }
  }
}

extension Trait where Self == LifecycleTrait {
  /// Gives each test its own `LifecycleBus.application`, with a `ManualClock`.
  ///
  /// ```swift
  /// @Test("Refreshes after a minute away", .lifecycle)
  /// @MainActor
  /// func refreshesAfterMinuteAway() {
  ///   let feed = FeedModel()
  ///   let application = ScriptedLifecycle.application
  ///   application.perform(.launch, .becomeActive, .background(for: .seconds(90)))
  ///   #expect(feed.refreshes == 1)
  /// }
  /// ```
  ///
  /// Tests that run at the same time, and the cases of a parameterized test, don't share the bus.
  /// Nothing connects it to the process. On a suite, the trait applies to each of its tests.
  ///
  /// A test that fails attaches the transcript of its application as text, and a timeline of its
  /// processes as a page for a browser, if the application was launched. It attaches those of every
  /// other `ScriptedLifecycle` that it created and launched, too; if there are many, of the latest
  /// 10. `swift test` writes them to the folder that `--attachments-path` names; Xcode shows them in
  /// the test report.
  ///
  /// The bus replaces `LifecycleBus.application` as `withApplication` does: in the test's task or a
  /// task that it starts.
  public static var lifecycle: Self { Self() }
}

/// Whether a test has failed so far.
private final class TestFailure: Sendable {
  private let flag = SharedFlag()

  /// A Boolean value that indicates whether an issue was recorded that fails the test.
  var isKnown: Bool { flag.isOn }

  /// Runs the test. An error that it throws is no issue yet.
  func watch(
    _ test: Test,
    _ testCase: Test.Case?,
    _ function: @Sendable () async throws -> Void
  ) async throws {
    let watch = IssueHandlingTrait.filterIssues { [flag] issue in
      if issue.isFailure { flag.set(true) }
      return true
    }
    try await watch.provideScope(for: test, testCase: testCase, performing: function)
  }
}

extension ScriptAccounts {
  /// Attaches what happened in the scripts that were launched.
  @MainActor
  fileprivate func attach(to test: Test) {
    let name = String(test.name.prefix { $0 != "(" })
    for (index, account) in all.enumerated() {
      let number = index == 0 ? "" : " \(index + 1)"
      Attachment.record("\(account.transcript)\n", named: "\(name) transcript\(number).txt")
      let timeline = LifecycleTimeline(account.recordings, title: test.displayName ?? name)
      Attachment.record(timeline.html, named: "\(name) timeline\(number).html")
    }
  }
}
