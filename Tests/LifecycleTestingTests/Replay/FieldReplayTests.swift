import CustomDump
import Foundation
import LifecycleFlightRecording
import LifecycleTesting
import ReactiveLifecycle
import Testing

/// What `lifecycle-monitor watch --format json` recorded of itself in a terminal: Ctrl-Z and `fg`,
/// Ctrl-Z, `bg` and `fg`, Ctrl-Z and `kill`. The boot and the process have other identifiers.
@Suite("Replaying a recording of a real process")
@MainActor
struct FieldReplayTests {
  private var path: String {
    URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Recordings/job-control.jsonl").path
  }

  @Test("A process that was stopped three times, and ended by SIGTERM, lives again identically")
  func jobControl() throws {
    let report = try FlightFile(contentsOf: path)
    expectNoDifference(report.damage, [])
    var ends = 0
    let lifecycle = ScriptedLifecycle(replaying: report.recordings) { process in
      process.keep(process.bus.addObserver(for: .willTerminate) { _ in ends += 1 })
    }
    lifecycle.replay(until: .seconds(5))
    expectNoDifference(lifecycle.bus.phase, .background)
    lifecycle.replay()
    expectNoDifference(lifecycle.recordings.map(\.transcript), report.recordings.map(\.transcript))
    expectNoDifference(ends, 1)
    expectLifecycle(
      lifecycle,
      matches: """
          [0.009549388 s background] didFinishLaunching (synthesized)
          [0.009549388 s inactive] willEnterForeground (synthesized)
          [0.009549388 s active] didBecomeActive (from processSignals)
          [2.974511947 s inactive] willResignActive (synthesized)
          [2.974511947 s background] didEnterBackground (from processSignals) [signal: "SIGTSTP"]
          [6.987409336 s inactive] willEnterForeground (synthesized, away 4.012897389 s, clock set by -0.00000001 s)
          [6.987409336 s active] didBecomeActive (from processSignals)
          [9.50997872 s inactive] willResignActive (synthesized)
          [9.50997872 s background] didEnterBackground (from processSignals) [signal: "SIGTSTP"]
          [12.64038199 s inactive] willEnterForeground (synthesized, away 3.13040327 s, clock set by 0.000000991 s)
          [12.64038199 s active] didBecomeActive (from processSignals)
          [14.171722864 s inactive] willResignActive (synthesized)
          [14.171722864 s background] didEnterBackground (from processSignals) [signal: "SIGTSTP"]
          [15.407650692 s inactive] willEnterForeground (synthesized, away 1.235927828 s, asleep 0.000000001 s, clock set by 0.000000009 s)
          [15.407650692 s active] didBecomeActive (from processSignals)
          [15.407674197 s inactive] willResignActive (synthesized)
          [15.407674197 s background] didEnterBackground (synthesized)
          [15.407674197 s terminated] willTerminate (from processSignals) [signal: "SIGTERM"]
        """
    )
    let other = NonisolatedScriptedLifecycle(replaying: report.recordings)
    other.replay()
    expectNoDifference(other.transcript, lifecycle.transcript)
  }
}
