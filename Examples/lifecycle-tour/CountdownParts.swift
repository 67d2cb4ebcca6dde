import Foundation
import JobControl
import ProgramReporting

/// Part 2: stopped for 3 s, and resumed.
enum StopPart {
  static func run(_ child: CountdownChild) throws {
    let narrator = child.narrator
    narrator.title("2. A countdown of \(child.seconds) s, suspended for 3 s and resumed")
    let launch = try child.lines(through: \.isTick)
    let start = ContinuousClock.now
    let running = try child.lines(through: \.isTick)

    let (down, stopped) = try child.typeControlZ()
    narrator.wait(3, "suspended") { child.session.idle(for: .seconds(1)) }
    let quiet = try child.availableLines()
    let returning = ContinuousClock.now
    let (up, continued) = try child.foreground(through: \.isTick)
    let returned = ContinuousClock.now
    let elapsed = returned - start
    let next = try child.lines(through: \.isTick)

    let gap = Double(continued.nanoseconds - stopped.nanoseconds) / 1e9
    let stay = up.compactMap(\.seconds).first ?? -1
    let before = (running + down).compactMap(\.remainingSeconds).last ?? -1
    let remaining = up.compactMap(\.remainingSeconds)
    let last = remaining.last ?? -1

    narrator.writeLine("")
    draw(before: before, stay: stay, after: last, narrator)
    narrator.writeLine("")
    narrator.claim(
      "at launch, the phase moves up in three steps, of which the source sent one",
      launch.compactMap(\.eventAndOrigin),
      [
        "didFinishLaunching (synthesized)", "willEnterForeground (synthesized)",
        "didBecomeActive (source)",
      ]
    )
    narrator.claim(
      "two steps down, before the process was suspended",
      down.compactMap(\.eventAndOrigin),
      ["willResignActive (synthesized)", "didEnterBackground (source)"]
    )
    narrator.claim("Ctrl-Z suspended it", stopped.status, .stopped(SIGTSTP))
    narrator.claim("nothing is reported while it is suspended", quiet, [])
    narrator.claim(
      "two steps up on the return, once each",
      up.compactMap(\.eventAndOrigin),
      ["willEnterForeground (synthesized)", "didBecomeActive (source)"]
    )
    narrator.claim(
      "the sequence numbers have no gaps",
      (launch + down + up).compactMap(\.sequence),
      Array(1...7)
    )
    narrator.claim("it was suspended for 3 s", gap, in: 3...elapsed / .seconds(1))
    // Reports are rounded to milliseconds, and so is what they are compared with.
    narrator.claim("the reported duration matches", stay, in: 3...elapsed.secondsInMilliseconds)
    narrator.claim("one tick on the return, however long it was away", remaining.count, 1)
    narrator.claim(
      "the remaining time is correct",
      Double(last),
      in: child.remaining(begun: start, between: returning, and: returned)
    )
    let following = next.compactMap(\.remainingSeconds)
    narrator.claim("then it continues", following.count == 1 && following[0] < last, true)
  }

  private static func draw(before: Int, stay: Double, after: Int, _ narrator: Narrator) {
    let gap = " suspended for \(Double(Int(stay * 10)) / 10) s "
    let blank = String(repeating: " ", count: gap.count)
    let left = "... \(before) s "
    let edge = String(repeating: " ", count: left.count)
    narrator.writeLine("    remaining  \(left)|\(blank)| \(after) s ...")
    narrator.writeLine("    process    runs\(edge.dropFirst(4))|\(gap)| runs")
    narrator.writeLine("               \(edge)Ctrl-Z\(blank.dropFirst(5))fg")
  }
}

/// Part 3: a job that runs in the background has not returned.
enum BackgroundPart {
  static func run(_ child: CountdownChild) throws {
    let narrator = child.narrator
    narrator.title("3. Continued with bg: not a return to the foreground")
    let start = ContinuousClock.now
    let (_, stopped) = try child.typeControlZ()
    let status = try child.background()
    narrator.wait(2, "running in the background") { child.session.idle(for: .seconds(1)) }
    let quiet = try child.availableLines()
    let up = try child.foregroundWithoutSignal(through: \.isTick)
    let elapsed = ContinuousClock.now - start
    let stay = up.compactMap(\.seconds).first ?? -1

    narrator.writeLine("")
    narrator.claim("Ctrl-Z suspended it", stopped.status, .stopped(SIGTSTP))
    narrator.claim("bg continued it", status, .continued)
    narrator.claim("no event and no tick for 2 s, although it was running", quiet, [])
    narrator.claim(
      "the return is detected without a signal, from the terminal",
      up.compactMap(\.eventAndOrigin),
      ["willEnterForeground (synthesized)", "didBecomeActive (source)"]
    )
    narrator.claim(
      "the reported duration is the whole time without the terminal",
      stay,
      in: 2...elapsed.secondsInMilliseconds
    )
  }
}

/// Part 4: the end.
enum TerminationPart {
  static func run(_ child: CountdownChild) throws {
    let narrator = child.narrator
    narrator.title("4. Terminated by SIGTERM")
    let (lines, end) = try child.terminate()

    narrator.writeLine("")
    narrator.claim(
      "the last events, in order",
      lines.compactMap(\.eventAndOrigin),
      [
        "willResignActive (synthesized)", "didEnterBackground (synthesized)",
        "willTerminate (source)",
      ]
    )
    narrator.claim("then the signal ended the process: $? is 143", end, .signaled(SIGTERM))
  }
}
