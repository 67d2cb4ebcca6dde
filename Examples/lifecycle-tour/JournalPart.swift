import Foundation
import JobControl
import LifecycleJournaling
import ProgramReporting
import ReactiveLifecycle

/// Part 6: what happened while the process was dead.
enum JournalPart {
  static func run(_ session: JobControlSession, _ narrator: Narrator) throws -> [pid_t] {
    narrator.title("6. Killed without warning, and started again")
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "lifecycle-tour-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let command = ["code", "--state", folder.appending(path: "state").path]
    func launch() throws -> CountdownChild {
      try CountdownChild(command, seconds: 60, session: session, narrator: narrator)
    }

    let first = try launch()
    let begun = try first.lines(through: \.isTick)
    let start = ContinuousClock.now
    _ = try first.kill()
    narrator.wait(2, "dead") { session.idle(for: .seconds(1)) }
    let second = try launch()
    let goneOn = try second.lines(through: \.isTick)
    let end = ContinuousClock.now
    let elapsed = (end - first.launched) / .seconds(1)
    _ = try second.terminate()
    let third = try launch()
    let last = try third.lines(through: \.isTick)
    _ = try third.kill()

    narrator.tell("")
    narrator.claim("the first launch is one", begun.first?.previousExit, .firstLaunch)
    narrator.claim(
      "it knows that it was killed, and where",
      goneOn.first?.previousExit,
      .killedInForeground
    )
    let away = goneOn.first?.awaySeconds ?? -1
    narrator.claim("it knows for how long it was dead", away, in: 2...elapsed)
    let remaining = Double(goneOn.last?.remainingSeconds ?? -1)
    narrator.claim(
      "the countdown goes on where it would be",
      remaining,
      in: first.remaining(begun: start, between: second.launched, and: end)
    )
    narrator.claim("SIGTERM is a proper end", last.first?.previousExit, .endedProperly)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    narrator.claim("one file is all there is", files, ["state"])
    return [first, second, third].map(\.processID)
  }
}
