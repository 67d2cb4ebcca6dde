import Foundation
import JobControl
import LifecycleJournaling
import ProgramReporting
import ReactiveLifecycle

/// Part 6: what happened while the process was dead.
enum JournalPart {
  static func run(
    _ session: JobControlSession,
    _ narrator: Narrator,
    recordings: TourRecordings?
  ) throws -> [pid_t] {
    narrator.title("6. Killed without warning, and launched again")
    let folder = try TourFolder()
    let state = ["--state", "\(folder.path)/state"]
    let command = ["code"] + state + (recordings?.addChild("code") ?? [])
    func launch() throws -> CountdownChild {
      try CountdownChild(command, seconds: 60, session: session, narrator: narrator)
    }

    let first = try launch()
    let begun = try first.lines(through: \.isTick)
    let start = ContinuousClock.now
    _ = try first.kill()
    narrator.wait(2, "not running") { session.idle(for: .seconds(1)) }
    let second = try launch()
    let goneOn = try second.lines(through: \.isTick)
    let end = ContinuousClock.now
    let elapsed = end - first.launched
    _ = try second.terminate()
    let third = try launch()
    let last = try third.lines(through: \.isTick)
    _ = try third.kill()

    narrator.writeLine("")
    narrator.claim("the first launch is reported as such", begun.first?.previousExit, .firstLaunch)
    narrator.claim(
      "the second launch reports a kill in the foreground",
      goneOn.first?.previousExit,
      .killedInForeground
    )
    let away = goneOn.first?.awaySeconds ?? -1
    narrator.claim(
      "it reports how long the program was not running",
      away,
      in: 2...elapsed.secondsInMilliseconds
    )
    let remaining = Double(goneOn.last?.remainingSeconds ?? -1)
    narrator.claim(
      "the countdown continues at the correct second",
      remaining,
      in: first.remaining(begun: start, between: second.launched, and: end)
    )
    narrator.claim("SIGTERM counts as a proper end", last.first?.previousExit, .endedProperly)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    narrator.claim("everything is stored in one file", files, ["state"])
    return [first, second, third].map(\.processID)
  }
}
