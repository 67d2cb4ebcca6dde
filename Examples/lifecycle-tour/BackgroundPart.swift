import Foundation
import JobControl
import ProgramReporting

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
    let elapsed = (ContinuousClock.now - start) / .seconds(1)
    let stay = up.compactMap(\.seconds).first ?? -1

    narrator.tell("")
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
      in: 2...elapsed
    )
  }
}
