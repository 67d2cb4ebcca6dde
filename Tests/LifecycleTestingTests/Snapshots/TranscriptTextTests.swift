import CustomDump
import LifecycleCore
import Testing

@testable import LifecycleCountdowns
@testable import LifecycleTesting

@Suite("Values in transcripts")
struct TranscriptTextTests {
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

  /// Expects that each value has its text in a transcript.
  private func expectTexts(_ table: [(value: Any, text: String)]) {
    for (value, text) in table { expectNoDifference(transcriptText(of: value), text) }
  }

  @Test("An event shows its origin, stay and metadata, if there are any")
  func eventsWithOriginStayAndTexts() {
    expectTexts([
      (event(.didBecomeActive), "didBecomeActive"),
      (event(.willResignActive, .synthesized), "willResignActive (synthesized)"),
      (
        event(.didReceiveMemoryWarning, .source("notificationCenter")),
        "didReceiveMemoryWarning (from notificationCenter)"
      ),
      (event("documentDidSave", .manual), "documentDidSave (manual)"),
      (event(.didBecomeActive, .catchUp), "didBecomeActive (catchUp)"),
      (
        event(.willEnterForeground, .synthesized, stay(90, asleep: 60, shift: -3600)),
        "willEnterForeground (synthesized, away 90 s, asleep 60 s, clock set by -3600 s)"
      ),
      (
        event(.willEnterForeground, .manual, stay(1), ["scene": "1", "by": "a \"user\""]),
        #"willEnterForeground (manual, away 1 s) [by: "a \"user\"", scene: "1"]"#
      ),
    ])
  }

  @Test("Phases, stays, countdown states and suppressed inputs have short forms")
  func otherLifecycleTypes() {
    let running = Countdown.State(status: .running, remaining: .seconds(40), isClockTrusted: false)
    let suppressed = SuppressedInput(
      kind: .didBecomeActive,
      reason: .duplicate,
      origin: .source("window"),
      instant: instant(1)
    )
    expectTexts([
      (LifecyclePhase.background, "background"), (stay(0), "away 0 s"),
      (Countdown.State(status: .paused, remaining: .seconds(12)), "paused, 12 s"),
      (Countdown.State(status: .finished, remaining: .zero), "finished"),
      (running, "running, 40 s, unverified"),
      (suppressed, "didBecomeActive suppressed: duplicate (from window)"),
      (Duration.milliseconds(1500), "1.5 s"), (instant(5), "LifecycleInstant(…)"),
      (instant(5).continuous, "ContinuousInstant(…)"),
      (LifecycleEvent.Kind.didBecomeActive, "didBecomeActive"),
      (LifecycleEvent.Origin.source("window"), ".source(window)"),
    ])
  }

  @Test("A string is quoted only if it could be misread")
  func textsAreWrittenAsTheyAre() {
    expectTexts([
      ("4:59", "4:59"), ("two\nlines", "two\nlines"), ("part of it".prefix(4), "part"), ("é", "é"),
      ("", #""""#), (" ", #"" ""#), ("ends ", #""ends ""#), ("\tbegins", #""\tbegins""#),
      ("line \nline", #""line \nline""#), ("nil", #""nil""#), ("bell\u{7}", #""bell\u{07}""#),
    ])
  }

  @Test("Plain values are dumped, with durations in seconds")
  func plainValues() {
    let none: Int? = nil
    expectTexts([
      (5, "5"), (2.5, "2.5"), (true, "true"), (none as Any, "nil"), (Optional("a") as Any, "a"),
      ((), "()"), (Int.self, "Int.self"), (Choice.first, ".first"),
      (Choice.away(stay(3)), ".away(away 3 s)"), (Choice.shown("x"), #".shown("x")"#),
      (Choice.after(.milliseconds(1700)), ".after(1.7 s)"),
      (Delay(delay: .seconds(2)), "Delay(delay: 2 s)"), (Delay(delay: nil), "Delay(delay: nil)"),
      (Optional(Duration.seconds(2)) as Any, "2 s"),
      (Result<Duration, any Error>.success(.seconds(1)), ".success(1 s)"),
      ([Delay(delay: .zero): 5], "[\n  Delay(delay: 0 s): 5\n]"),
    ])
  }

  @Test("Durations in objects are in seconds, also in superclasses and cycles")
  func durationsInObjects() {
    let one = Derived()
    one.next = one
    expectNoDifference(
      transcriptText(of: [one, one]),
      """
      [
        [0]: Derived(
          rest: 3 s,
          next: Derived(↩︎),
          wait: 1.7 s
        ),
        [1]: Derived(↩︎)
      ]
      """
    )
    one.next = nil
  }

  @Test("Properties that macros add are left out, unless the value has a mirror for dumps")
  func whatMacrosAddIsLeftOut() {
    expectNoDifference(transcriptText(of: Observed()), "Observed(\n  _delay: 1 s\n)")
    expectNoDifference(transcriptText(of: Dumped()), "Dumped(\n  _$id: 5,\n  delay: 1 s\n)")
  }

  @Test("Inside of other values lifecycle types are compact, and have no absolute times")
  func nestedLifecycleTypesAreCompact() {
    let screen = Screen(
      events: [event(.didBecomeActive), event(.willEnterForeground, .manual, stay(90.25))],
      stays: ["last": stay(1.5)],
      since: instant(5),
      saved: Countdown.SavedState(
        duration: .seconds(5),
        status: .running,
        remaining: .milliseconds(2500),
        deadline: .init(continuous: .boot, timeSince1970: .seconds(88), bootID: nil)
      )
    )
    expectNoDifference(
      transcriptText(of: screen),
      """
      Screen(
        events: [
          [0]: didBecomeActive,
          [1]: willEnterForeground (manual, away 90.25 s)
        ],
        stays: [
          "last": away 1.5 s
        ],
        since: LifecycleInstant(…),
        saved: Countdown.SavedState(
          duration: 5 s,
          status: .running,
          remaining: 2.5 s,
          deadline: Countdown.SavedState.Deadline(…),
          isClockTrusted: true,
          isEndPending: false
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
  }

  @Test("Addresses are replaced, except in strings")
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
      transcriptText(of: value),
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
}

private enum Choice {
  case first
  case away(BackgroundStay)
  case shown(String)
  case after(Duration)
}

private struct Delay: Hashable {
  let delay: Duration?
}

private class Base {
  let rest = Duration.seconds(3)
}

private final class Derived: Base {
  var next: Derived?
  let wait = Duration.milliseconds(1700)
}

/// As `@Observable` makes it.
private struct Observed {
  var _delay = Duration.seconds(1)
  var _$registrar = 5
}

private struct Dumped: CustomDumpReflectable {
  var customDumpMirror: Mirror {
    Mirror(self, children: ["_$id": 5, "delay": Duration.seconds(1)], displayStyle: .struct)
  }
}

private struct Screen {
  let events: [LifecycleEvent]
  let stays: [String: BackgroundStay]
  let since: LifecycleInstant
  let saved: Countdown.SavedState
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
