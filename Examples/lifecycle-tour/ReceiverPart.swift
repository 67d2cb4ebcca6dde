import Foundation
import JobControl
import LocationReminder
import ProgramReporting
import ReactiveLifecycle

/// Part 7: battery-intensive work that is also wanted in the background runs in bursts there.
enum ReceiverPart {
  /// The number of seconds of the track that pass in one second.
  static let rate = 20.0
  /// Ten minutes on the way north.
  static let track = Track(
    fixes: (0..<600).map { second in
      Track.Fix(
        position: Position(latitude: 48.85 + Double(second) / 10_000, longitude: 2.2945),
        time: .seconds(second)
      )
    }
  )

  /// The fields that are read from a line of the child.
  private struct Line: Decodable {
    var type: String
    var kind: String?
    var trackSeconds: Double?
    var seconds: Double?
    var grantedSeconds: Double?
  }

  static func run(
    _ session: JobControlSession,
    _ narrator: Narrator,
    recordings: TourRecordings?
  ) throws -> pid_t {
    narrator.title("7. A location receiver in the background: bursts of 5, rests of 0.5 s")
    let start = ContinuousClock.now
    let arguments = recordings?.addChild("receiver") ?? []
    let child = Child(
      job: try session.launch(JobRequest([currentExecutablePath(), "receiver"] + arguments)),
      narrator: narrator
    )
    let launch = try child.lines(through: "position", times: 5)
    narrator.moment("--- Ctrl-Z")
    try session.terminal.type(PseudoTerminal.controlZ)
    let stopped = try child.job.nextStatus().status
    narrator.moment("--- bg")
    try session.background(child.job)
    let continued = try child.job.nextStatus().status
    let background = try child.lines(through: "rest", times: 3)
    narrator.moment("--- fg")
    try session.foregroundWithoutContinue(child.job)
    let foreground = try child.lines(through: "event", times: 2)
    let again = try child.lines(through: "position", times: 5)
    narrator.moment("--- kill -TERM")
    try session.signal(SIGTERM, child.job)
    let end = try child.job.waitUntilEnd()
    let elapsed = max(1, (ContinuousClock.now - start) / .seconds(1))

    let bursts = background.split { $0.type == "rest" }.map { burst in
      burst.drop { $0.type == "event" }
    }
    let rests = background.filter { $0.type == "rest" }
    narrator.writeLine("")
    narrator.claim(
      "events are reported from the launch on",
      launch.contains { $0.type == "event" },
      true
    )
    narrator.claim(
      "Ctrl-Z suspended it, bg continued it",
      [stopped, continued],
      [
        .stopped(SIGTSTP), .continued,
      ]
    )
    narrator.claim(
      "each of the next two bursts has 5 positions",
      bursts.dropFirst().map(\.count),
      [5, 5]
    )
    narrator.claim(
      "each rest is granted as requested",
      rests.map(\.grantedSeconds),
      [0.5, 0.5, 0.5]
    )
    let gaps = zip(bursts.dropFirst(), bursts.dropFirst(2)).map { first, second in
      ((second.first?.trackSeconds ?? 0) - (first.last?.trackSeconds ?? 0)) / rate
    }
    narrator.claim(
      "no position arrives for 0.5 s between them",
      gaps.first ?? 0,
      in: 0.5...elapsed
    )
    narrator.claim(
      "on the return, it becomes active",
      foreground.last?.kind,
      LifecycleEvent.Kind.didBecomeActive.rawValue
    )
    narrator.claim(
      "it receives again, without rests",
      again.map(\.type),
      Array(repeating: "position", count: 5)
    )
    narrator.claim("SIGTERM ended the process", end, .signaled(SIGTERM))
    return child.job.processID
  }

  private struct Child {
    let job: Job
    let narrator: Narrator

    /// Returns the lines through the last of the given number of lines of a type.
    func lines(through type: String, times: Int) throws -> [Line] {
      var lines: [Line] = []
      while lines.count(where: { $0.type == type }) < times {
        let text = try job.nextLine("a line") { _ in true }
        let line = try JSONDecoder().decode(Line.self, from: Data(text.utf8))
        narrate(line)
        lines.append(line)
      }
      return lines
    }

    private func narrate(_ line: Line) {
      switch line.type {
      case "position": narrator.moment("     position at \(line.trackSeconds ?? 0) s on the track")
      case "rest": narrator.moment("     rest of \(line.grantedSeconds ?? 0) s")
      case "event": narrator.moment("     \(line.kind ?? "")")
      default: break
      }
    }
  }
}
