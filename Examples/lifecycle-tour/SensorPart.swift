import Foundation
import JobControl

/// Part 5: battery-intensive work runs only while the process is active.
enum SensorPart {
  static func run(
    _ session: JobControlSession,
    _ narrator: Narrator,
    recordings: TourRecordings?
  ) throws -> pid_t {
    narrator.title("5. A sensor that is on only while the process is active")
    let arguments = recordings?.addChild("sensor") ?? []
    let job = try session.launch(
      JobRequest([currentExecutablePath(), "sensor", "--interval", "200"] + arguments)
    )
    let launch = try lines(job, narrator, through: "load")

    narrator.moment("--- Ctrl-Z")
    try session.terminal.type(PseudoTerminal.controlZ)
    let stopped = try job.nextStatus().status
    let down = narrate(job.takeAvailableLines(), narrator)
    narrator.moment("--- bg")
    try session.background(job)
    let continued = try job.nextStatus().status
    narrator.wait(1, "running in the background") { session.idle(for: .seconds(1)) }
    let quiet = narrate(job.takeAvailableLines(), narrator)
    narrator.moment("--- fg")
    try session.foregroundWithoutContinue(job)
    let up = try lines(job, narrator, through: "load")
    narrator.moment("--- kill -TERM")
    try session.signal(SIGTERM, job)
    let end = try job.waitUntilEnd()
    let last = narrate(job.takeAvailableLines(), narrator)

    narrator.writeLine("")
    narrator.claim("it is switched on once at launch", switches(launch), ["sensor on"])
    narrator.claim("it is off before the process is suspended", switches(down), ["sensor off"])
    narrator.claim("Ctrl-Z suspended the process", stopped, .stopped(SIGTSTP))
    narrator.claim("bg continued it", continued, .continued)
    narrator.claim("nothing is measured for 1 s, although it was running", quiet, [])
    narrator.claim("the sensor is switched on once on the return", switches(up), ["sensor on"])
    narrator.claim("it is off before the process ends", switches(last), ["sensor off"])
    narrator.claim("SIGTERM ended the process", end, .signaled(SIGTERM))
    return job.processID
  }

  /// Returns the lines through the first one that begins with a text.
  private static func lines(
    _ job: Job,
    _ narrator: Narrator,
    through start: String
  ) throws -> [String] {
    var lines: [String] = []
    repeat {
      lines += narrate([try job.nextLine("a line") { _ in true }], narrator)
    } while !lines[lines.count - 1].hasPrefix(start)
    return lines
  }

  private static func narrate(_ lines: [String], _ narrator: Narrator) -> [String] {
    for line in lines { narrator.moment("     \(line)") }
    return lines
  }

  private static func switches(_ lines: [String]) -> [String] {
    lines.filter { $0.hasPrefix("sensor") }
  }
}
