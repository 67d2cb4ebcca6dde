import CustomDump
import LifecycleCountdowns
import LifecycleJournaling
import ReactiveLifecycle
import Testing

@testable import ProgramReporting

@Suite("Reports of a countdown")
@MainActor
struct CountdownReportTests {
  private let words = TextReport.Words(begun: "It has begun.", finished: "It is over.")
  private let instant = LifecycleInstant(continuous: .boot, timeAwake: .zero, timeSince1970: .zero)

  @Test("JSON: each line has its shape and its order of members")
  func jsonShape() {
    var text = ""
    let report = JSONReport { text += $0 }
    report.event(event("didEnterBackground", .background, origin: .source("processSignals")))
    report.event(event("willEnterForeground", .inactive, origin: .synthesized, stay: 3.0124))
    report.event(event("didBecomeActive", .active, origin: .catchUp))
    report.event(event("a \"quoted\"\\\n kind", .active, origin: .manual))
    report.suppressed(
      SuppressedInput(
        kind: .didEnterBackground,
        reason: .duplicate,
        origin: .manual,
        instant: instant
      )
    )
    report.update(state(297))
    report.update(state(0))
    expectNoDifference(
      text,
      #"""
      {"type":"event","kind":"didEnterBackground","phase":"background","sequence":5,"origin":"source"}
      {"type":"event","kind":"willEnterForeground","phase":"inactive","sequence":5,"origin":"synthesized"}
      {"type":"stay","seconds":3.012,"asleepSeconds":0.0}
      {"type":"event","kind":"didBecomeActive","phase":"active","sequence":5,"origin":"catchUp"}
      {"type":"event","kind":"a \"quoted\"\\\u000a kind","phase":"active","sequence":5,"origin":"manual"}
      {"type":"suppressed","kind":"didEnterBackground","reason":"duplicate"}
      {"type":"tick","remainingSeconds":297}
      {"type":"tick","remainingSeconds":0}
      {"type":"finished"}

      """#
    )
  }

  @Test("Text without a terminal: a line a tick")
  func plainText() {
    var text = ""
    let report = TextReport(words, total: 4000, terminal: nil) { text += $0 }
    report.update(state(4000))
    report.event(event("didEnterBackground", .background, origin: .manual))
    for (seconds, asleep) in [(3.04, 0.0), (59.96, 0), (90, 60)] {
      report.event(
        event(
          "willEnterForeground",
          .inactive,
          origin: .manual,
          stay: seconds,
          asleep: asleep
        )
      )
    }
    report.update(state(59))
    report.update(state(0))
    expectNoDifference(
      text,
      """
      1:06:40 left
      Away for 3.0 s.
      Away for 1:00.
      Away for 1:30, 1:00 of it asleep.
      0:59 left
      0:00 left
      It is over.

      """
    )
  }

  @Test("JSON: the launch, with the milliseconds that it was away, if that is known")
  func jsonLaunch() {
    var text = ""
    let report = JSONReport { text += $0 }
    let known = LifecycleJournal.PreviousExit.allCases.filter {
      ![.firstLaunch, .unknown].contains($0)
    }
    for exit in known { report.launch(after: previousRun(exit, away: 2.0996), isNew: false) }
    report.launch(after: previousRun(.endedProperly, away: 0), isNew: true)
    report.launch(after: previousRun(.firstLaunch), isNew: true)
    report.launch(after: previousRun(.unknown), isNew: true)
    expectNoDifference(
      text,
      #"""
      {"type":"launch","previousExit":"endedProperly","awaySeconds":2.1}
      {"type":"launch","previousExit":"killedDuringLaunch","awaySeconds":2.1}
      {"type":"launch","previousExit":"killedInBackground","awaySeconds":2.1}
      {"type":"launch","previousExit":"killedInForeground","awaySeconds":2.1}
      {"type":"launch","previousExit":"machineRestarted","awaySeconds":2.1}
      {"type":"launch","previousExit":"updated","awaySeconds":2.1}
      {"type":"launch","previousExit":"endedProperly","awaySeconds":0.0}
      {"type":"launch","previousExit":"firstLaunch"}
      {"type":"launch","previousExit":"unknown"}

      """#
    )
  }

  @Test("JSON: a tick says only that it could not be verified")
  func jsonUnverified() {
    var text = ""
    let report = JSONReport { text += $0 }
    report.update(state(7, isClockTrusted: false))
    report.update(state(6))
    expectNoDifference(
      text,
      #"""
      {"type":"tick","remainingSeconds":7,"verified":false}
      {"type":"tick","remainingSeconds":6}

      """#
    )
  }

  @Test("Text: how the last run ended in words, and that a countdown has begun")
  func textLaunch() {
    var text = ""
    let report = TextReport(words, total: 60, terminal: nil) { text += $0 }
    for exit in LifecycleJournal.PreviousExit.allCases {
      let isAwayKnown = ![.firstLaunch, .unknown].contains(exit)
      report.launch(after: previousRun(exit, away: isAwayKnown ? 2.1 : nil), isNew: false)
    }
    report.launch(after: previousRun(.firstLaunch), isNew: true)
    report.launch(after: previousRun(.endedProperly, away: 3600), isNew: true)
    expectNoDifference(
      text,
      """
      The last run ended properly, 2.1 s ago.
      The last run was killed during its launch, 2.1 s ago.
      The last run was killed in the background, 2.1 s ago.
      The last run was killed in the foreground, 2.1 s ago.
      The last run ended with a restart of the machine, 2.1 s ago.
      The last run ended with an update, 2.1 s ago.
      It is unknown how the last run ended.
      It has begun.
      The last run ended properly, 1:00:00 ago.
      It has begun.

      """
    )
  }

  @Test("Text: once, that what is left could not be verified")
  func textUnverified() {
    var text = ""
    let report = TextReport(words, total: 60, terminal: nil) { text += $0 }
    for seconds in [8, 7] { report.update(state(seconds, isClockTrusted: false)) }
    expectNoDifference(
      text,
      """
      The time left could not be verified: the machine was restarted, and its clock may have been changed.
      0:08 left
      0:07 left

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

  @Test("The bar fills up")
  func barFillsUp() {
    let texts = [0, 0.5, 1].map {
      ProgressBar(label: "0:07 left", fraction: $0, columns: 23).text
    }
    expectNoDifference(
      texts,
      ["[..........] 0:07 left", "[#####.....] 0:07 left", "[##########] 0:07 left"]
    )
  }

  private func previousRun(
    _ exit: LifecycleJournal.PreviousExit,
    away seconds: Double? = nil
  ) -> LifecycleJournal.PreviousRun {
    LifecycleJournal.PreviousRun(exit: exit, timeAway: seconds.map { .seconds($0) })
  }

  private func state(_ seconds: Int, isClockTrusted: Bool = true) -> Countdown.State {
    Countdown.State(
      status: seconds == 0 ? .finished : .running,
      remaining: .seconds(seconds),
      isClockTrusted: isClockTrusted
    )
  }

  private func stay(of seconds: Double, asleep: Double) -> BackgroundStay {
    BackgroundStay(
      from: instant,
      to: LifecycleInstant(
        continuous: .boot + .seconds(seconds),
        timeAwake: .seconds(seconds - asleep),
        timeSince1970: .zero
      )
    )
  }

  private func event(
    _ kind: LifecycleEvent.Kind,
    _ phase: LifecyclePhase,
    origin: LifecycleEvent.Origin,
    stay seconds: Double? = nil,
    asleep: Double = 0
  ) -> LifecycleEvent {
    LifecycleEvent(
      kind: kind,
      previousPhase: phase,
      phase: phase,
      sequenceNumber: 5,
      instant: instant,
      origin: origin,
      backgroundStay: seconds.map { stay(of: $0, asleep: asleep) }
    )
  }
}
