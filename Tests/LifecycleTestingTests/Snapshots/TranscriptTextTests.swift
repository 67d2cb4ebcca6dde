import CustomDump
import Foundation
import LifecycleCombine
import LifecycleCountdowns
import ReactiveLifecycle
import Testing

@testable import LifecycleTesting

@Suite("Values in transcripts")
struct TranscriptTextTests {
  private let exact = LifecycleTranscript.Style()
  private let seconds = LifecycleTranscript.Style(precision: .seconds(1))

  private func event(
    _ kind: LifecycleEvent.Kind,
    _ origin: LifecycleEvent.Origin = .source(.script),
    _ stay: BackgroundStay? = nil,
    _ metadata: [String: String] = [:]
  ) -> LifecycleEvent {
    LifecycleEvent(
      kind: kind,
      previousPhase: .inactive,
      phase: .active,
      sequenceNumber: 7,
      instant: instant(3),
      origin: origin,
      backgroundStay: stay,
      metadata: metadata
    )
  }

  private func instant(
    _ continuous: Double,
    timeAwake: Double? = nil,
    wall: Double? = nil
  ) -> LifecycleInstant {
    LifecycleInstant(
      continuous: .boot + .seconds(continuous),
      timeAwake: .seconds(timeAwake ?? continuous),
      timeSince1970: .seconds(wall ?? continuous)
    )
  }

  private func stay(_ duration: Double, asleep: Double = 0, shift: Double = 0) -> BackgroundStay {
    BackgroundStay(
      from: instant(0),
      to: instant(duration, timeAwake: duration - asleep, wall: duration + shift)
    )
  }

  @Test("Events, with what there is of origin, stay and texts")
  func eventsWithOriginStayAndTexts() {
    let events = [
      event(.didBecomeActive),
      event(.willResignActive, .synthesized),
      event(.didReceiveMemoryWarning, .source("notificationCenter")),
      event("documentDidSave", .manual),
      event(.didBecomeActive, .catchUp),
      event(.willEnterForeground, .source(.script), stay(90, asleep: 60)),
      event(.willEnterForeground, .synthesized, stay(90, shift: -3600)),
      event(.didBecomeActive, .source(.script), nil, ["scene": "1", "by": "a \"user\""]),
      event(.willEnterForeground, .manual, stay(1), ["scene": "1"]),
    ]
    expectNoDifference(
      events.map(exact.text),
      [
        "didBecomeActive",
        "willResignActive (synthesized)",
        "didReceiveMemoryWarning (from notificationCenter)",
        "documentDidSave (manual)",
        "didBecomeActive (catchUp)",
        "willEnterForeground (away 90 s, asleep 60 s)",
        "willEnterForeground (synthesized, away 90 s, clock set by -3600 s)",
        #"didBecomeActive [by: "a \"user\"", scene: "1"]"#,
        #"willEnterForeground (manual, away 1 s) [scene: "1"]"#,
      ]
    )
    let numbered = LifecycleTranscript.Style(showsSequenceNumbers: true)
    expectNoDifference(numbered.text(of: events[1]), "#7 willResignActive (synthesized)")
    expectNoDifference(
      numbered.text(of: [events[1]]),
      "[\n  [0]: #7 willResignActive (synthesized)\n]"
    )
  }

  @Test("Phases, stays, states of countdowns, suppressed inputs, durations and instants")
  func otherLifecycleTypes() {
    let values: [Any] = [
      LifecyclePhase.background,
      stay(90), stay(90, asleep: 60), stay(90, asleep: 60, shift: -3600), stay(0),
      Countdown.State(status: .running, remaining: .seconds(210)),
      Countdown.State(status: .finished, remaining: .zero),
      Countdown.State(status: .paused, remaining: .seconds(12)),
      Countdown.State(status: .idle, remaining: .seconds(300)),
      Countdown.State(status: .running, remaining: .seconds(40), isClockTrusted: false),
      SuppressedInput(
        kind: .didBecomeActive,
        reason: .duplicate,
        origin: .source(.script),
        instant: instant(1)
      ),
      SuppressedInput(
        kind: .didBecomeActive,
        reason: .masked,
        origin: .source("window"),
        instant: instant(1)
      ),
      Duration.milliseconds(1500),
      instant(5),
      instant(5).continuous,
      LifecycleEvent.Kind.didBecomeActive,
      LifecycleEvent.Origin.source("window"),
    ]
    expectNoDifference(
      values.map(exact.text),
      [
        "background",
        "away 90 s", "away 90 s, asleep 60 s", "away 90 s, asleep 60 s, clock set by -3600 s",
        "away 0 s",
        "running, 210 s",
        "finished",
        "paused, 12 s",
        "idle, 300 s",
        "running, 40 s, unverified",
        "didBecomeActive suppressed: duplicate",
        "didBecomeActive suppressed: masked (from window)",
        "1.5 s",
        "LifecycleInstant(…)",
        "ContinuousInstant(…)",
        "didBecomeActive",
        ".source(window)",
      ]
    )
  }

  @Test("Texts are written as they are, unless that could be misread")
  func textsAreWrittenAsTheyAre() {
    let values: [Any] = [
      "4:59", "two\nlines", "", " ", "ends ", "\tbegins", "line \nline", "nil", "bell\u{7}",
      "part of it".prefix(4), "\n", "é",
    ]
    expectNoDifference(
      values.map(exact.text),
      [
        "4:59", "two\nlines", #""""#, #"" ""#, #""ends ""#, #""\tbegins""#, #""line \nline""#,
        #""nil""#, #""bell\u{07}""#, "part", #""\n""#, "é",
      ]
    )
  }

  @Test("Numbers, optionals and enumerations")
  func plainValues() {
    let none: Int? = nil
    let some: Duration? = .seconds(2)
    let values: [Any] = [
      5, 2.5, true, none as Any, some as Any, Optional("a") as Any, Choice.first,
      Choice.away(stay(3)), Choice.shown("x"), (), Int.self,
    ]
    expectNoDifference(
      values.map(exact.text),
      [
        "5", "2.5", "true", "nil", "2 s", "a", ".first", ".away(away 3 s)", #".shown("x")"#, "()",
        "Int.self",
      ]
    )
  }

  @Test("Inside of other values lifecycle types are compact, and have no absolute times")
  func nestedLifecycleTypesAreCompact() {
    let input = SuppressedInput(
      kind: .didBecomeActive,
      reason: .duplicate,
      origin: .source("window"),
      instant: instant(1)
    )
    let screen = Screen(
      events: [event(.didBecomeActive), event(.willEnterForeground, .manual, stay(90.25))],
      suppressed: input,
      state: Countdown.State(status: .running, remaining: .milliseconds(2500)),
      stays: ["last": stay(1.5)],
      since: instant(5),
      deadline: instant(5).continuous,
      delay: .milliseconds(1500),
      record: Countdown.Record(
        duration: .seconds(5),
        status: .running,
        remaining: .seconds(3),
        deadline: .init(
          continuous: .boot + .seconds(77),
          timeSince1970: .seconds(88),
          bootID: BootID(rawValue: "boot")
        )
      )
    )
    expectNoDifference(
      seconds.text(of: screen),
      """
      Screen(
        events: [
          [0]: didBecomeActive,
          [1]: willEnterForeground (manual, away 90 s)
        ],
        suppressed: didBecomeActive suppressed: duplicate (from window),
        state: running, 3 s,
        stays: [
          "last": away 1 s
        ],
        since: LifecycleInstant(…),
        deadline: ContinuousInstant(…),
        delay: 1 s,
        record: Countdown.Record(
          duration: 5 s,
          status: .running,
          remaining: 3 s,
          deadline: Countdown.Record.Deadline(…),
          isClockTrusted: true
        )
      )
      """
    )
  }

  @Test("Outside of transcripts nothing is left out, and differences show the property")
  func outsideOfTranscripts() {
    var other = event(.didBecomeActive)
    other.instant = instant(4)
    expectNoDifference(
      diff(event(.didBecomeActive), other),
      """
        LifecycleEvent(
          kind: didBecomeActive,
          previousPhase: .inactive,
          phase: .active,
          sequenceNumber: 7,
          instant: LifecycleInstant(
      -     continuous: 3 s,
      +     continuous: 4 s,
      -     suspending: 3 s,
      +     suspending: 4 s,
      -     wall: 3 s
      +     wall: 4 s
          ),
          origin: .source(script),
          backgroundStay: nil,
          metadata: [:]
        )
      """
    )
    let input = SuppressedInput(
      kind: .didBecomeActive,
      reason: .duplicate,
      origin: .manual,
      instant: instant(1)
    )
    expectNoDifference(
      String(customDumping: input),
      """
      SuppressedInput(
        kind: didBecomeActive,
        reason: .duplicate,
        origin: .manual,
        instant: LifecycleInstant(
          continuous: 1 s,
          suspending: 1 s,
          wall: 1 s
        )
      )
      """
    )
    let deadline = Countdown.Record.Deadline(
      continuous: .boot + .seconds(77),
      timeSince1970: .seconds(88),
      bootID: nil
    )
    expectNoDifference(
      String(customDumping: deadline),
      """
      Countdown.Record.Deadline(
        continuous: 77 s,
        wall: 88 s,
        bootID: nil
      )
      """
    )
    expectNoDifference(
      String(customDumping: [stay(1)]),
      """
      [
        [0]: BackgroundStay(
          duration: 1 s,
          timeAsleep: 0 s,
          wallClockShift: 0 s
        )
      ]
      """
    )
  }

  @Test("No addresses; what is written like one in a text stays")
  func noAddressesAreWritten() {
    let object = Object()
    let pointer = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    defer { pointer.deallocate() }
    let value = Addresses(
      pointer: pointer,
      identity: ObjectIdentifier(object),
      object: object,
      body: {},
      texts: ["0xdeadbeef01", "\"0xdeadbeef02\"", "lines\n0xdeadbeef03"],
      short: "0x12"
    )
    expectNoDifference(
      exact.text(of: value),
      ##"""
      Addresses(
        pointer: 0x…,
        identity: ObjectIdentifier(0x…),
        object: Object(name: "0xdeadbeef00"),
        body: (Function),
        texts: [
          [0]: "0xdeadbeef01",
          [1]: #""0xdeadbeef02""#,
          [2]: """
            lines
            0xdeadbeef03
            """
        ],
        short: "0x12"
      )
      """##
    )
  }

  @Test(
    "Durations are rounded to the attosecond, towards zero",
    arguments: [1, 3, 10, 1000] as [Int64]
  )
  func durationsAreRoundedToAttosecond(milliseconds: Int64) {
    let style = LifecycleTranscript.Style(precision: .milliseconds(milliseconds))
    for count in -2100...2100 as ClosedRange<Int64> {
      let whole = count / milliseconds * milliseconds
      let up = whole == count ? whole : whole + milliseconds * count.signum()
      expectNoDifference(style.rounded(.milliseconds(count)), .milliseconds(whole))
      expectNoDifference(style.roundedUp(.milliseconds(count)), .milliseconds(up))
    }
    let most = Duration(secondsComponent: .max, attosecondsComponent: 0)
    expectNoDifference(
      LifecycleTranscript.Style(precision: .zero).rounded(.nanoseconds(1)),
      .nanoseconds(1)
    )
    expectNoDifference(exact.rounded(most), most)
    expectNoDifference(LifecycleTranscript.Style(precision: .seconds(1)).rounded(most), most)
  }

  @Test("What a real clock adds disappears in a rounded transcript")
  func realClock() {
    let values: [Any] = [
      stay(90.0002, asleep: 60.0001, shift: -0.0003),
      Countdown.State(status: .running, remaining: .milliseconds(209_998)),
    ]
    expectNoDifference(values.map(seconds.text), ["away 90 s, asleep 60 s", "running, 210 s"])
    expectNoDifference(seconds.text(of: stay(90, asleep: 0.3)), "away 90 s")
  }

  @Test("The lines of a dump are indented in a transcript")
  @MainActor
  func severalLines() {
    let lifecycle = ScriptedLifecycle()
    let recorder = lifecycle.recorder(of: [Duration].self, as: "laps")
    recorder.record([.seconds(1), .seconds(2)])
    expectLifecycle(
      recorder,
      matches: """
          [0 s unknown] laps: [
              [0]: 1 s,
              [1]: 2 s
            ]
        """
    )
    expectLifecycle(lifecycle, matches: recorder.transcript.description)
  }
}

private enum Choice {
  case first
  case away(BackgroundStay)
  case shown(String)
}

private struct Screen {
  let events: [LifecycleEvent]
  let suppressed: SuppressedInput
  let state: Countdown.State
  let stays: [String: BackgroundStay]
  let since: LifecycleInstant
  let deadline: ContinuousInstant
  let delay: Duration
  let record: Countdown.Record
}

private final class Object {
  let name = "0xdeadbeef00"
}

private struct Addresses {
  let pointer: UnsafeMutablePointer<Int>
  let identity: ObjectIdentifier
  let object: Object
  let body: () -> Void
  let texts: [String]
  let short: String
}
