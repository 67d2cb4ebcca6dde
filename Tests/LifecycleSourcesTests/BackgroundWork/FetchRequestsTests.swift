import CustomDump
import Foundation
import LifecycleBackgroundWork
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@testable import LifecycleSources

@Suite("Background fetch: completions of Apple's hosts")
@MainActor
struct FetchRequestsTests {
  /// What was called, in order.
  @MainActor final class Calls {
    var lines: [String] = []
  }

  @Test("On the main thread UIKit is answered at once, and not a second time")
  func onMainThread() {
    let requests = FetchRequests(.here())
    let calls = Calls()
    expectReportedIssue("before a handler was set", line: #line - 2) {
      requests.beginOnMainActor(deadline: .seconds(30)) { calls.lines.append($0.rawValue) }
    }
    expectNoDifference(calls.lines, ["noData"])
    requests.setHandler { request in
      request.complete(.newData)
      request.complete(.failed)
    }
    requests.beginOnMainActor(deadline: .seconds(30)) { calls.lines.append($0.rawValue) }
    expectNoDifference(calls.lines, ["noData", "newData"])
    // A request that is released without a completion has failed.
    requests.setHandler { _ in }
    requests.beginOnMainActor(deadline: .seconds(30)) { calls.lines.append($0.rawValue) }
    requests.setHandler(nil)
    requests.beginOnMainActor(deadline: .seconds(30)) { calls.lines.append($0.rawValue) }
    expectNoDifference(calls.lines, ["noData", "newData", "failed", "noData"])
  }

  @Test("Completed on another thread, UIKit is answered on the main actor, once")
  func onOtherThread() async {
    let requests = FetchRequests(.here())
    let calls = Calls()
    requests.setHandler { request in
      DispatchQueue.global().async {
        request.complete(.newData)
        request.complete(.failed)
      }
    }
    for _ in 1...20 {
      await withCheckedContinuation { continuation in
        requests.beginOnMainActor(deadline: .seconds(30)) {
          MainActor.assertIsolated()
          calls.lines.append($0.rawValue)
          // A second call would end the process.
          continuation.resume()
        }
      }
    }
    expectNoDifference(calls.lines, Array(repeating: "newData", count: 20))
  }

  @Test("UIKit is answered when the deadline is missed")
  func uiKitIsAnsweredWhenDeadlineIsMissed() async {
    let clock = ManualClock()
    let bus = LifecycleBus(clock: clock)
    let fetches = BackgroundFetchCoordinator(of: bus, executor: clock)
    let host = Host()
    let connection = fetches.connect(host)
    let registration = fetches.addHandler(named: "hung") {
      try await Task.sleep(for: .seconds(600), clock: clock)
      return .newData
    }
    let calls = Calls()
    host.requests.beginOnMainActor(deadline: .seconds(25)) { result in
      calls.lines.append("\(result) \(clock.elapsed / .seconds(1))")
    }
    clock.advance(by: .seconds(60))
    expectNoDifference(calls.lines, ["failed 25.0"])
    withExtendedLifetime((bus, fetches, connection, registration)) {}
  }

  private final class Host: BackgroundFetchHost {
    let requests = FetchRequests(.here())

    func setMinimumInterval(_ interval: Duration?) {}

    func setFetchHandler(_ handler: (@Sendable (BackgroundFetchRequest) -> Void)?) {
      requests.setHandler(handler)
    }
  }
}

extension CallSite {
  /// Returns the caller's place.
  static func here(
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> CallSite {
    CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
  }
}
