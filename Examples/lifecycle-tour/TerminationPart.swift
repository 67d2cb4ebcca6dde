import Foundation
import JobControl
import ProgramReporting

/// Part 4: the end.
enum TerminationPart {
  static func run(_ child: CountdownChild) throws {
    let narrator = child.narrator
    narrator.title("4. Terminated by SIGTERM")
    let (lines, end) = try child.terminate()

    narrator.tell("")
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
