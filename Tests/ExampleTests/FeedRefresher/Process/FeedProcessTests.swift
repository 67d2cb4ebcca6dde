import CustomDump
import Foundation
import JobControl
import TestSupport
import Testing

extension JobControlSession {
  /// Launches the built `feed-refresher`, reporting in JSON. Without an option a fetch has a day.
  fileprivate func launchRefresher(
    _ url: URL,
    _ options: String...,
    change: (inout JobRequest) -> Void = { _ in }
  ) throws -> Job {
    let program = try builtProgramPath("feed-refresher")
    let arguments =
      [program, "--feed", url.absoluteString, "--format", "json"]
      + (options.contains("--deadline") ? [] : ["--deadline", "86400"]) + options
    return try launch(with(JobRequest(arguments), change))
  }
}

extension Job {
  fileprivate func nextFetch() throws -> String {
    try nextLine("a fetch") { $0.contains(#""fetch""#) }.withoutSeconds
  }
}

extension String {
  /// A fetch whose seconds stand for themselves.
  fileprivate var withoutSeconds: String {
    replacing(/"seconds":\d+\.\d{1,3}\}/) { _ in #""seconds":SECONDS}"# }
  }
}

private func fetch(_ number: Int, _ result: String, _ reason: String? = nil) -> String {
  let reason = reason.map { #""reason":"\#($0)","# } ?? ""
  return #"{"type":"fetch","number":\#(number),"result":"\#(result)",\#(reason)"seconds":SECONDS}"#
}

private func fetched(_ number: Int, _ phase: String) -> String {
  event(number, "backgroundFetchDidComplete", phase, "manual")
}

/// A server that keeps every client waiting until a test lets it answer.
private final class SlowServer: Sendable {
  let url: URL
  private let server: RawServer
  private let arrivals: DispatchSemaphore
  private let answers: DispatchSemaphore

  init() throws {
    let (arrivals, answers) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    (self.arrivals, self.answers) = (arrivals, answers)
    server = try RawServer { _, _, connection in
      arrivals.signal()
      answers.wait()
      let body = Feeds.rss("a")
      connection.answer("200 OK", "Content-Length: \(body.count)")
      connection.write(body)
    }
    url = URL(string: "http://127.0.0.1:\(server.port)/")!
  }

  /// Blocks until somebody has asked.
  func waitForRequest() {
    expectNoDifference(arrivals.wait(timeout: .now() + 300), .success)
  }

  /// Answers one request.
  func answer() { answers.signal() }
}

/// The built program on the real system.
@Suite("Feed refresher, the process", .serialized, .startsProcesses)
struct FeedProcessTests {
  @Test("Without an interval, one fetch is reported, and the status is 0")
  func oneFetchWithoutInterval() async throws {
    let server = try FeedServer()
    try await withCountdownSession { session in
      let job = try session.launchRefresher(server.url)
      #expect(try job.waitUntilEnd() == .exited(0))
      expectNoDifference(
        try job.waitUntilOutputEnds().map(\.withoutSeconds),
        launch + [fetch(1, "newData"), fetched(4, "active")]
      )
    }
  }

  @Test(
    "A failed fetch is reported with its reason, and the status is 69",
    arguments: ["500", "refused", "slow"]
  )
  func failedFetch(how: String) async throws {
    let server = try RawServer { path, _, connection in
      if path == "/500" { connection.answer("500 No", "Content-Length: 0") }
      if path == "/slow" { connection.waitUntilClosed() }
    }
    let port = how == "refused" ? 1 : server.port
    let url = URL(string: "http://127.0.0.1:\(port)/\(how)")!
    let reasons = [
      "500": "HTTP status 500", "refused": "cannot connect to 127.0.0.1",
      "slow": "no response within 0.5 s",
    ]
    try await withCountdownSession { session in
      let job = try session.launchRefresher(url, "--deadline", how == "slow" ? "0.5" : "86400") {
        $0.standardInput = .null
      }
      #expect(try job.waitUntilEnd() == .exited(69))
      let lines = try job.waitUntilOutputEnds().map(\.withoutSeconds)
      expectNoDifference(
        lines.filter { $0.contains(#""fetch""#) },
        [fetch(1, "failed", reasons[how])]
      )
    }
  }

  @Test("Enter starts no fetch in the background, and does after fg")
  func enterInBackground() async throws {
    let server = try FeedServer()
    try await withCountdownSession { session in
      let job = try session.launchRefresher(server.url, "--interval", "3600")
      _ = try job.nextFetch()
      _ = try session.stop(job)
      try session.continueInBackground(job)
      try session.terminal.type("\n")
      session.idle(for: .milliseconds(500))
      expectNoDifference(job.takeAvailableLines(), [])
      expectNoDifference(job.statuses.last?.status, .continued)
      try session.foregroundWithoutContinue(job)
      try job.nextLine("the return") { $0.contains("didBecomeActive") }
      try session.terminal.type("\n")
      expectNoDifference(try job.nextFetch(), fetch(2, "noData"))
    }
  }

  @Test("SIGTERM during a fetch reports its failure before willTerminate")
  func terminatedDuringAFetch() async throws {
    let server = try SlowServer()
    try await withCountdownSession { session in
      let job = try session.launchRefresher(server.url, "--interval", "1")
      try job.nextLine("the launch") { $0.contains("didBecomeActive") }
      server.waitForRequest()
      try session.signal(SIGTERM, job)
      #expect(try job.waitUntilEnd() == .signaled(SIGTERM))
      let lines = try job.waitUntilOutputEnds().map(\.withoutSeconds)
      expectNoDifference(
        Array(lines.dropFirst(3)),
        termination(4).dropLast() + [fetch(1, "failed", "the process is ending")]
          + termination(4).suffix(1)
      )
    }
    server.answer()
  }
}
