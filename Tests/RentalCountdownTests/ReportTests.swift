import CustomDump
import ReactiveLifecycle
import Testing

@testable import RentalCountdown

@Suite("Reports of the countdown")
@MainActor
struct ReportTests {
  private let instant = LifecycleInstant(continuous: .zero, suspending: .zero, wall: .zero)

  @Test("JSON: each line has its shape and its order of members")
  func json() {
    var text = ""
    let report = JSONReport { text += $0 }
    report.event(event("didEnterBackground", .background, origin: .source("processSignals")))
    report.event(event("willEnterForeground", .inactive, origin: .synthesized, stay: 3.0124))
    report.event(event("didBecomeActive", .active, origin: .catchUp))
    report.event(event("a \"quoted\"\\\n kind", .active, origin: .manual))
    report.event(event("didBecomeActive", .active, origin: .replay))
    report.suppressed(
      SuppressedInput(
        kind: .didEnterBackground,
        reason: .duplicate,
        origin: .manual,
        instant: instant
      )
    )
    report.update(.tick(remainingSeconds: 297))
    report.update(.finished)
    expectNoDifference(
      text,
      #"""
      {"type":"event","kind":"didEnterBackground","phase":"background","sequence":5,"origin":"source"}
      {"type":"event","kind":"willEnterForeground","phase":"inactive","sequence":5,"origin":"synthesized"}
      {"type":"stay","seconds":3.012,"asleepSeconds":0.0}
      {"type":"event","kind":"didBecomeActive","phase":"active","sequence":5,"origin":"catchUp"}
      {"type":"event","kind":"a \"quoted\"\\\u000a kind","phase":"active","sequence":5,"origin":"manual"}
      {"type":"event","kind":"didBecomeActive","phase":"active","sequence":5,"origin":"replay"}
      {"type":"suppressed","kind":"didEnterBackground","reason":"duplicate"}
      {"type":"tick","remainingSeconds":297}
      {"type":"finished"}

      """#
    )
  }

  @Test("Text without a terminal: a line a tick")
  func plainText() {
    var text = ""
    let report = TextReport(total: 4000, terminal: nil) { text += $0 }
    report.update(.tick(remainingSeconds: 4000))
    report.event(event("didEnterBackground", .background, origin: .manual))
    report.update(.returned(stay(of: 3.04)))
    report.update(.returned(stay(of: 59.96)))
    report.update(.returned(stay(of: 90, asleep: 60)))
    report.update(.tick(remainingSeconds: 59))
    report.update(.tick(remainingSeconds: 0))
    report.update(.finished)
    expectNoDifference(
      text,
      """
      1:06:40 left
      Away for 3.0 s.
      Away for 1:00.
      Away for 1:30, 1:00 of it asleep.
      0:59 left
      0:00 left
      The rental is over.

      """
    )
  }

  @Test("The bar fits the terminal, whatever its width", arguments: 1...200)
  func width(columns: Int) {
    for fraction in [0, 0.5, 1] {
      let bar = ProgressBar(label: "4:59 left", fraction: fraction, columns: columns)
      #expect(bar.text.count <= max(1, columns - 1))
      #expect(bar.text.count >= min(columns - 1, 9))
    }
  }

  @Test("The bar fills up")
  func fills() {
    let texts = [0, 0.5, 1].map {
      ProgressBar(label: "0:07 left", fraction: $0, columns: 23).text
    }
    expectNoDifference(
      texts,
      ["[..........] 0:07 left", "[#####.....] 0:07 left", "[##########] 0:07 left"]
    )
  }

  private func stay(of seconds: Double, asleep: Double = 0) -> BackgroundStay {
    BackgroundStay(
      from: instant,
      to: LifecycleInstant(
        continuous: .seconds(seconds),
        suspending: .seconds(seconds - asleep),
        wall: .zero
      )
    )
  }

  private func event(
    _ kind: LifecycleEvent.Kind,
    _ phase: LifecyclePhase,
    origin: LifecycleEvent.Origin,
    stay seconds: Double? = nil
  ) -> LifecycleEvent {
    LifecycleEvent(
      kind: kind,
      previousPhase: phase,
      phase: phase,
      sequenceNumber: 5,
      instant: instant,
      origin: origin,
      backgroundStay: seconds.map { stay(of: $0) }
    )
  }
}
