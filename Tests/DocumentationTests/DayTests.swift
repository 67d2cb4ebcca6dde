import CustomDump
import Foundation
import LifecycleFlightRecording
import LifecycleTesting
import LifecycleTimelines
import ReactiveLifecycle
import Testing

/// The day that the README draws, and what its two columns do on it.
@Suite("A day of an app")
@MainActor
struct DayTests {
  /// What the app does, before and after, and what is noted on the picture.
  private final class Log {
    var leftAt: Duration?
    var loads = (before: 0, after: 0)
    var notes: [(run: Int, record: FlightRecord)] = []
  }

  /// Plays the day, shortened so that it can be seen in a picture.
  private func play(_ log: Log) -> [FlightRecording] {
    let lifecycle = ScriptedLifecycle { process in
      let scope = LifecycleScope("screen")
      var loadedAt: LifecycleInstant?
      process.bus.onOpen(in: scope) { opening in
        if let loadedAt, loadedAt.duration(to: opening.instant) < .seconds(60) { return }
        loadedAt = opening.instant
        log.loads.after += 1
      }
      // The README's "Before", with the clock of the script.
      process.bus.addObserver(for: [.didEnterBackground, .didBecomeActive], in: scope) { event in
        let now = event.instant.timeSince1970
        if event.kind == .didEnterBackground {
          log.leftAt = now
        } else if now - (log.leftAt ?? .zero) >= .seconds(60) {
          log.loads.before += 1
        }
      }
      process.keep(scope)
    }
    func perform(_ note: String?, _ steps: LifecycleStep..., thenFor minutes: Int) {
      lifecycle.perform(steps)
      if let note {
        let run = lifecycle.recordings.count - 1
        log.notes.append((run, FlightRecord(.note(note), at: lifecycle.clock.now)))
      }
      lifecycle.perform(.advance(by: .seconds(60 * minutes)))
    }

    perform("launch", .launch, .becomeActive, thenFor: 13)
    perform("Control Center", .resignActive, thenFor: 2)
    perform(nil, .becomeActive, thenFor: 16)
    let away = LifecycleStep.background(for: .seconds(600), deviceAsleep: .seconds(480))
    perform("back", away, thenFor: 20)
    perform("an alert", .resignActive, thenFor: 1)
    perform(nil, .becomeActive, thenFor: 7)
    perform(nil, .enterBackground, thenFor: 10)
    perform("refresh", .send(.backgroundFetchDidComplete), thenFor: 15)
    perform("push at night", thenFor: 14)
    perform(nil, .memoryWarning, thenFor: 17)
    perform("killed", thenFor: 0)
    lifecycle.perform(.kill, .advance(by: .seconds(900)))
    perform("opened again", .relaunch, .becomeActive, thenFor: 20)
    perform(nil, .enterBackground, thenFor: 0)
    return lifecycle.recordings
  }

  /// The recordings as an app's, without what the observers of a test would add.
  private func drawn(_ recordings: [FlightRecording], _ log: Log) -> [FlightRecording] {
    recordings.enumerated().map { run, recording in
      var recording = recording
      recording.process = FlightRecording.Process(name: "News", id: Int32(4711 + run))
      recording.records.removeAll { record in
        switch record.content {
        case .event, .ended: false
        default: true
        }
      }
      for note in log.notes where note.run == run {
        let place = recording.records.firstIndex {
          $0.instant.continuous > note.record.instant.continuous
        }
        recording.records.insert(note.record, at: place ?? recording.records.endIndex)
      }
      return recording
    }
  }

  @Test("A handwritten observer loads at Control Center and alerts, onOpen when the user comes")
  func loads() throws {
    let log = Log()
    _ = play(log)
    expectNoDifference([log.loads.before, log.loads.after], [5, 3])
    #expect(try Sample.text("README.md").contains("loads 5 times, the second 3 times"))
  }

  @Test("The README's picture is drawn of this day")
  func picture() throws {
    let log = Log()
    let svg = LifecycleTimeline(drawn(play(log), log), title: "A day of an app").svg
    let path = Sample.root.appending(path: "Examples/Pictures/day.svg")
    if ProcessInfo.processInfo.environment["LIFECYCLE_SNAPSHOTS"] == "all" {
      try svg.write(to: path, atomically: true, encoding: .utf8)
    }
    #expect(
      try String(contentsOf: path, encoding: .utf8) == svg,
      "LIFECYCLE_SNAPSHOTS=all swift test --filter DayTests draws it again"
    )
  }
}
