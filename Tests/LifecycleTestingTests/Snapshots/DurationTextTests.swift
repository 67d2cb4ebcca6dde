import CustomDump
import LifecycleBackgroundWork
import LifecycleCountdowns
import ReactiveLifecycle
import Testing

@testable import LifecycleTesting

@Suite("Durations inside of values")
struct DurationTextTests {
  private let style = LifecycleTranscript.Style(precision: .milliseconds(500))

  @Test("In structures, enumerations, tuples and optionals")
  func plainValues() {
    let values: [Any] = [
      Delay(delay: .milliseconds(1700)), Delay(delay: nil), Choice.first, Choice.after(.seconds(2)),
      Choice.named(wait: .seconds(2)), Optional(Duration.seconds(1)) as Any,
      Result<Duration, any Error>.success(.seconds(1)), Lap(), Flat(),
    ]
    expectNoDifference(
      values.map(style.text),
      [
        "Delay(delay: 1.5 s)", "Delay(delay: nil)", ".first", ".after(2 s)", ".named(wait: 2 s)",
        "1 s", ".success(1 s)", "3 s", "[\n  [0]: 4 s\n]",
      ]
    )
    expectNoDifference(
      style.text(of: (Choice.between(.seconds(1), .seconds(2)), Delay(delay: .zero))),
      """
      (
        .between(
          1 s,
          2 s
        ),
        Delay(delay: 0 s)
      )
      """
    )
  }

  @Test("In collections, and among keys")
  func durationsInCollectionsAndAmongKeys() {
    expectNoDifference(
      style.text(of: [Duration.seconds(9): [Delay(delay: .seconds(1))], .seconds(10): []]),
      """
      [
        10 s: [],
        9 s: [
          [0]: Delay(delay: 1 s)
        ]
      ]
      """
    )
    expectNoDifference(
      style.text(of: [Delay(delay: .seconds(1)): Set([Duration.seconds(2), .milliseconds(1500)])]),
      """
      [
        Delay(delay: 1 s): Set([
          1.5 s,
          2 s
        ])
      ]
      """
    )
  }

  @Test("A key for which something stands that is no key stays as it is")
  func keyWithoutDumpedKey() {
    expectNoDifference(
      style.text(of: [Key(): Duration.seconds(1)]),
      """
      [
        NoKey(): 1 s
      ]
      """
    )
  }

  @Test("In objects, those of superclasses and those that refer to themselves included")
  func durationsInObjects() {
    let one = Derived()
    let other = Derived()
    one.next = one
    other.next = one
    expectNoDifference(
      style.text(of: [one, other, one]),
      """
      [
        [0]: Derived(
          rest: 3 s,
          next: Derived(↩︎),
          wait: 1.5 s
        ),
        [1]: #1 Derived(
          rest: 3 s,
          next: Derived(↩︎),
          wait: 1.5 s
        ),
        [2]: Derived(↩︎)
      ]
      """
    )
    one.next = nil
  }

  @Test("What macros add is left out, unless a mirror for dumps has it")
  func whatMacrosAddIsLeftOut() {
    expectNoDifference(style.text(of: Observed()), "Observed(\n  _delay: 1 s\n)")
    expectNoDifference(style.text(of: Dumped()), "Dumped(\n  _$id: 5,\n  delay: 1 s\n)")
  }

  @Test("Outside of transcripts lifecycle types have texts for them, too")
  func outsideOfTranscripts() {
    let record = Countdown.Record(
      duration: .seconds(5),
      status: .running,
      remaining: .milliseconds(2700),
      deadline: .init(
        continuous: .boot + .seconds(1),
        timeSince1970: .seconds(2),
        bootID: nil
      )
    )
    expectNoDifference(
      String(customDumping: record),
      """
      Countdown.Record(
        duration: 5 s,
        status: .running,
        remaining: 2.7 s,
        deadline: Countdown.Record.Deadline(
          continuous: 1 s,
          wall: 2 s,
          bootID: nil
        ),
        isClockTrusted: true
      )
      """
    )
    expectNoDifference(
      String(customDumping: Countdown.State(status: .paused, remaining: .seconds(3))),
      """
      Countdown.State(
        status: .paused,
        remaining: 3 s,
        isClockTrusted: true
      )
      """
    )
    expectNoDifference(
      String(customDumping: DutyCycle(burst: 3, rest: .seconds(20))),
      """
      DutyCycle(
        burst: 3,
        delivery: .last,
        rest: 20 s
      )
      """
    )
    let handler = BackgroundFetchReport.Handler(
      name: "inbox",
      outcome: .newData,
      duration: .seconds(1)
    )
    expectNoDifference(
      String(
        customDumping: BackgroundFetchReport(
          number: 1,
          result: .newData,
          duration: .seconds(2),
          handlers: [handler]
        )
      ),
      """
      BackgroundFetchReport(
        number: 1,
        result: .newData,
        duration: 2 s,
        handlers: [
          [0]: BackgroundFetchReport.Handler(
            name: "inbox",
            outcome: .newData,
            duration: 1 s
          )
        ]
      )
      """
    )
  }
}

private struct Delay: Hashable {
  let delay: Duration?
}

private enum Choice {
  case first
  case after(Duration)
  case between(Duration, Duration)
  case named(wait: Duration)
}

private class Base {
  let rest = Duration.seconds(3)
}

private final class Derived: Base {
  var next: Derived?
  let wait = Duration.milliseconds(1700)
}

/// Is dumped as something that is not `Hashable`.
private struct Key: Hashable, CustomDumpRepresentable {
  var customDumpValue: Any { NoKey() }
}

private struct NoKey {}

/// Stands for a duration.
private struct Lap: CustomDumpRepresentable {
  var customDumpValue: Any { Duration.seconds(3) }
}

/// Has the mirror of something else.
private struct Flat: CustomDumpReflectable {
  var customDumpMirror: Mirror { Mirror(reflecting: [Duration.seconds(4)]) }
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
