import CustomDump
import LifecycleCombine
import LifecycleCountdowns
import LifecycleJournaling
import LifecycleTesting
import ReactiveLifecycle
import Testing

@testable import ProgramReporting

@Suite("Reports of a countdown")
@MainActor
struct CountdownReportTests {
  private let lifecycle = ScriptedLifecycle()
  private let scope = LifecycleScope("report")

  /// Reports a launch, the steps of a process, and the end of a countdown; returns the text.
  private func text(
    _ steps: LifecycleStep...,
    makeReport: (@escaping (String) -> Void) -> any CountdownReport
  ) -> String {
    var text = ""
    let report = makeReport { text += $0 }
    report.launch(after: .init(exit: .firstLaunch), isNew: true)
    report.launch(after: .init(exit: .unknown), isNew: false)
    report.launch(after: .init(exit: .killedInBackground, timeAway: .seconds(2.0996)), isNew: false)
    lifecycle.bus.addObserver(in: scope) { report.event($0) }
    lifecycle.bus.suppressedInputs.sink { report.suppressed($0) }.store(in: scope)
    lifecycle.perform([.launch, .becomeActive] + steps)
    report.update(.init(status: .running, remaining: .seconds(3999)))
    for seconds in [59, 58] {
      report.update(
        .init(status: .running, remaining: .seconds(seconds), isClockTrusted: false)
      )
    }
    report.update(.init(status: .finished, remaining: .zero))
    scope.end()
    return text
  }

  @Test("A line of JSON has its members in order")
  func json() {
    expectNoDifference(
      text(.background(for: .seconds(3.0124)), .duplicate(.didBecomeActive)) {
        JSONReport(write: $0)
      },
      #"""
      {"type":"launch","previousExit":"firstLaunch"}
      {"type":"launch","previousExit":"unknown"}
      {"type":"launch","previousExit":"killedInBackground","awaySeconds":2.1}
      {"type":"event","kind":"didFinishLaunching","phase":"background","sequence":1,"origin":"source"}
      {"type":"event","kind":"willEnterForeground","phase":"inactive","sequence":2,"origin":"source"}
      {"type":"event","kind":"didBecomeActive","phase":"active","sequence":3,"origin":"source"}
      {"type":"event","kind":"willResignActive","phase":"inactive","sequence":4,"origin":"source"}
      {"type":"event","kind":"didEnterBackground","phase":"background","sequence":5,"origin":"source"}
      {"type":"event","kind":"willEnterForeground","phase":"inactive","sequence":6,"origin":"source"}
      {"type":"stay","seconds":3.012,"asleepSeconds":0.0}
      {"type":"event","kind":"didBecomeActive","phase":"active","sequence":7,"origin":"source"}
      {"type":"suppressed","kind":"didBecomeActive","reason":"duplicate"}
      {"type":"tick","remainingSeconds":3999}
      {"type":"tick","remainingSeconds":59,"verified":false}
      {"type":"tick","remainingSeconds":58,"verified":false}
      {"type":"tick","remainingSeconds":0}
      {"type":"finished"}

      """#
    )
  }

  @Test("The text without a terminal has a line for each launch, stay, tick, and end")
  func plainText() {
    let words = TextReport.Words(begun: "It has begun.", finished: "It is over.")
    expectNoDifference(
      text(
        .background(for: .seconds(3.04)),
        .background(for: .seconds(59.96)),
        .background(for: .seconds(90), deviceAsleep: .seconds(60))
      ) {
        TextReport(words, total: 4000, terminal: nil, write: $0)
      },
      """
      It has begun.
      It is unknown how the last run ended.
      The last run was killed in the background, 2.1 s ago.
      Away for 3.0 s.
      Away for 1:00.
      Away for 1:30, 1:00 of it asleep.
      1:06:39 left
      The time left could not be verified: the machine was restarted, and its clock may have been changed.
      0:59 left
      0:58 left
      0:00 left
      It is over.

      """
    )
  }

  @Test("The bar fits the terminal, whatever its width", arguments: 1...200)
  func barFitsTheTerminal(columns: Int) {
    for fraction in [0, 0.5, 1] {
      let bar = ProgressBar(label: "4:59 left", fraction: fraction, columns: columns)
      #expect(bar.text.count <= max(1, columns - 1))
      #expect(bar.text.count >= min(columns - 1, 9))
    }
  }

  @Test("A progress bar is filled in proportion to its fraction")
  func barFillsUp() {
    let texts = [0, 0.5, 1].map {
      ProgressBar(label: "0:07 left", fraction: $0, columns: 23).text
    }
    expectNoDifference(
      texts,
      ["[..........] 0:07 left", "[#####.....] 0:07 left", "[##########] 0:07 left"]
    )
  }
}
