#if canImport(Testing)
  import LifecycleSources
  import LifecycleTesting
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
    /// @Test(.lifecycle)
    /// @MainActor
    /// func refreshesOnReturn() {
    ///   let feed = FeedModel()
    ///   ScriptedLifecycle.application.perform(
    ///     .launch, .becomeActive, .background(for: .seconds(90))
    ///   )
    ///   #expect(feed.refreshes == 1)
    /// }
    /// ```
    ///
    /// The bus belongs to ``ReactiveLifecycle/LifecycleBus/application``'s replacement for this
    /// test: tests that run at the same time, and the cases of a parameterized test, don't share
    /// it. Nothing is connected to the process. On a suite, the trait applies to each of its tests.
    public static var lifecycle: Self { Self() }
  }
#endif
