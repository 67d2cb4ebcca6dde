import Foundation
import JobControl
public import Testing

/// Limits how many tests that start processes run at the same time.
///
/// Swift Testing starts all tests of a run together. Each test of such a suite waits for its turn, which
/// counts as time of the test: tests with this trait have no time limit. In its turn, a test has a thread of
/// its own, which it may block.
public struct ProcessTrait: SuiteTrait, TestTrait, TestScoping {
  public var isRecursive: Bool { true }

  public func prepare(for test: Test) async throws {
    if !test.isSuite { ProcessTurns.shared.plan() }
  }

  public func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @Sendable () async throws -> Void
  ) async throws {
    // A test in nested suites with this trait has one turn.
    guard testCase != nil, !ProcessTurns.isInTurn else { return try await function() }
    let isAlone = test.traits.contains { $0 is LoneProcessTrait }
    try await withBlockableThread {
      ProcessTurns.shared.announce()
      await ProcessTurns.shared.begin(alone: isAlone)
      defer { ProcessTurns.shared.end(alone: isAlone) }
      try await ProcessTurns.$isInTurn.withValue(true, operation: function)
    }
  }
}

extension Trait where Self == ProcessTrait {
  /// The test, or each test of the suite, starts processes or blocks its thread to wait for them.
  public static var startsProcesses: Self { Self() }
}

/// Gives a test of a suite that starts processes all turns, so that it runs beside no other such test.
public struct LoneProcessTrait: TestTrait {}

extension Trait where Self == LoneProcessTrait {
  /// The test, of a suite with `startsProcesses`, changes what other tests of processes depend on, such as
  /// the machine's clock, or takes what they need.
  public static var runsAlone: Self { Self() }
}
