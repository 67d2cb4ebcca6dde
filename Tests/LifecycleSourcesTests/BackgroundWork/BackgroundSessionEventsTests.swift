import CustomDump
import Foundation
import ReactiveLifecycle
import Testing

@testable import LifecycleSources

@Suite("Events of background URL sessions, and completions")
@MainActor
struct BackgroundSessionEventsTests {
  /// What was called, in order, and a way to wait for it.
  @MainActor final class Calls {
    var lines: [String] = []
  }

  /// Waits until the main actor has done what was asked of it before.
  private func settle() async {
    await Task.detached { await Task { @MainActor in }.value }.value
  }

  @Test("A handler is called once, when its session has finished; sessions are apart")
  func inOrder() async {
    let events = BackgroundSessionEvents()
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
    let events = BackgroundSessionEvents()
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

  @Test("A system's completion is called once, on the main actor, whoever completes the request")
  func completions() async {
    let requests = FetchRequests()
    let calls = Calls()
    requests.begin(deadline: .seconds(30)) { calls.lines.append($0.rawValue) }
    await settle()
    expectNoDifference(calls.lines, ["noData"])
    requests.setHandler { request in
      DispatchQueue.global().async {
        request.complete(.newData)
        request.complete(.failed)
      }
    }
    await withCheckedContinuation { continuation in
      requests.begin(deadline: .seconds(30)) {
        MainActor.assertIsolated()
        calls.lines.append($0.rawValue)
        continuation.resume()
      }
    }
    await settle()
    expectNoDifference(calls.lines, ["noData", "newData"])
  }

  @Test("A request that is released without a completion has failed: the system is answered")
  func forgotten() async {
    let requests = FetchRequests()
    let calls = Calls()
    requests.setHandler { _ in }
    requests.begin(deadline: .seconds(30)) { calls.lines.append($0.rawValue) }
    await settle()
    expectNoDifference(calls.lines, ["failed"])
  }
}
