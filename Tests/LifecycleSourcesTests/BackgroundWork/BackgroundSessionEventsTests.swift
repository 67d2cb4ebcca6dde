import CustomDump
import Foundation
import LifecycleSources
import LifecycleTesting
import ReactiveLifecycle
import Testing

@Suite("Events of background URL sessions")
@MainActor
struct BackgroundSessionEventsTests {
  private let clock = ManualClock()
  private let events: BackgroundSessionEvents

  init() { events = BackgroundSessionEvents(clock: clock) }

  /// What was called, in order.
  @MainActor final class Calls {
    var lines: [String] = []
  }

  /// Waits until the main actor has done what was asked of it before.
  private func settle() async {
    await Task.detached { await Task { @MainActor in }.value }.value
  }

  @Test("A handler is called once, when its session has finished; sessions are apart")
  func inOrder() async {
    let calls = Calls()
    await withCheckedContinuation { continuation in
      events.handleEvents(forSession: "music") { calls.lines.append("music") }
      events.handleEvents(forSession: "films") {
        MainActor.assertIsolated()
        calls.lines.append("films")
        continuation.resume()
      }
      DispatchQueue.global().async { events.didFinishEvents(forSession: "films") }
    }
    expectNoDifference(calls.lines, ["films"])
    // A second end has nobody to call, but the next handler.
    events.didFinishEvents(forSession: "films")
    await settle()
    expectNoDifference(calls.lines, ["films"])
  }

  @Test("A session may finish before its handler is there, and have two handlers")
  func otherOrder() async {
    let calls = Calls()
    events.didFinishEvents(forSession: "music")
    await settle()
    events.handleEvents(forSession: "music") { calls.lines.append("first") }
    expectNoDifference(calls.lines, ["first"])
    await withCheckedContinuation { continuation in
      events.handleEvents(forSession: "music") { calls.lines.append("second") }
      events.handleEvents(forSession: "music") {
        calls.lines.append("third")
        continuation.resume()
      }
      events.didFinishEvents(forSession: "music")
    }
    expectNoDifference(calls.lines, ["first", "second", "third"])
  }

  @Test("A finish that had no handler does not count for the next wake")
  func finishOfAnEarlierWake() async {
    let calls = Calls()
    events.didFinishEvents(forSession: "music")
    await settle()
    clock.sleepDevice(for: .seconds(10))
    events.handleEvents(forSession: "music") { calls.lines.append("called") }
    expectNoDifference(calls.lines, [])
    events.didFinishEvents(forSession: "music")
    await settle()
    expectNoDifference(calls.lines, ["called"])
  }
}
