import CustomDump
import LifecycleCore
import LifecycleFlightRecording
import TestSupport
import Testing

@testable import LifecycleTesting

@Suite("Replaying incomplete recordings")
@MainActor
struct ReplayPartsTests {
  /// Two stays in the background, three notes, the return from the second stay, and a note.
  private let life: FlightRecording = {
    let clock = ManualClock()
    let bus = NonisolatedLifecycleBus(clock: clock)
    let recorder = FlightRecorder(of: bus)
    bus.send(.didFinishLaunching)
    for kind: LifecycleEvent.Kind in [
      .didBecomeActive, .didEnterBackground, .didBecomeActive, .didEnterBackground,
    ] {
      clock.advance(by: .seconds(10))
      bus.send(kind)
    }
    for note in ["a", "b", "c"] { recorder.note(note) }
    clock.advance(by: .seconds(10))
    bus.send(.didBecomeActive)
    recorder.note("end")
    return recorder.recording
  }()

  /// Replays parts of a run, and returns the transcript and the messages of the reported issues.
  private func replay(
    _ parts: [FlightRecording],
    launches: Counter = Counter()
  ) -> (LifecycleTranscript, issues: [String]) {
    let lifecycle = ScriptedLifecycle(replaying: parts) { _ in launches.add() }
    let issues = reportedIssues { lifecycle.replay() }
    return (lifecycle.transcript, issues.map(\.message))
  }

  @Test("Recordings that continue each other are one run of one process")
  func oneRun() {
    let launches = Counter()
    for cut in 1..<life.records.count {
      let parts = life.parts([0..<cut, cut..<life.records.count])
      let (transcript, issues) = replay(parts, launches: launches)
      expectNoDifference(transcript, life.transcript, "\(cut)")
      expectNoDifference(issues, [])
    }
    expectNoDifference(launches.count, life.records.count - 1)
  }

  // MARK: Cut off

  @Test("A recording that ends between an input and its events is replayed without a report")
  func cutOff() {
    for end in 1...life.records.count {
      let lifecycle = ScriptedLifecycle(replaying: life.parts([0..<end]))
      lifecycle.replay()
      expectNoDifference(lifecycle.clock.now, life.records[end - 1].instant)
    }
  }

  @Test("A recording of a random life is cut off where the next record is an event")
  func randomCuts() {
    for seed in seeds(250) {
      let life = RandomLife.recordings(.nonisolated, seed: seed, capacity: 25)[0]
      for end in 1..<life.records.count {
        let next = life.records[end].content
        // A part of a source may be disconnected before the events.
        if case .disconnected = next { continue }
        let isCutOff = if case .event = next { true } else { false }
        guard life.parts([0..<end])[0].isCutOff == isCutOff else {
          Issue.record("LIFECYCLE_SEED=\(seed): cut off before record \(end): \(!isCutOff)")
          return
        }
      }
    }
  }

  // MARK: Missing records

  @Test(
    "A gap that hides a stay ends the replay, and is reported once at the caller's line",
    arguments: [[0..<8, 14..<20], [0..<8, 14..<15, 15..<17, 17..<20]]
  )
  func otherStay(ranges: [Range<Int>]) {
    let lifecycle = ScriptedLifecycle(replaying: life.parts(ranges))
    let line = #line + 2
    let issues = reportedIssues {
      lifecycle.replay(until: .seconds(100))
      lifecycle.replay()
    }
    expectNoDifference(issues.map(\.line), [line])
    let message = issues.first?.message ?? ""
    #expect(message.hasPrefix("The replay ends before recordings[1]. It continues the run of "))
    #expect(message.contains("but 6 records before it are missing"))
    expectNoDifference(lifecycle.clock.elapsed, .seconds(100))
  }

  @Test(
    "A gap within the current stay is bridged",
    arguments: [[0..<15, 16..<20], [0..<14, 15..<16, 16..<20], [0..<14, 16..<20]]
  )
  func sameStay(ranges: [Range<Int>]) {
    let (transcript, issues) = replay(life.parts(ranges))
    expectNoDifference(transcript, life.transcript)
    expectNoDifference(issues, [])
  }

  @Test("A gap in a random life is either reported or bridged")
  func randomGaps() {
    var (bridged, reported) = (0, 0)
    for seed in seeds(20) {
      let life = RandomLife.recordings(.nonisolated, seed: seed, capacity: 25)[0]
      for length in [1, 2, 3, 5, 8, 13] where length + 2 < life.records.count {
        for begin in 1..<life.records.count - length {
          let parts = life.parts([0..<begin, begin + length..<life.records.count])
          // Events that are missing are replayed.
          if parts[0].isCutOff { continue }
          // The last missing record may be an input with an instant before the start.
          if !parts[1].continues(parts[0]) { continue }
          let (transcript, issues) = replay(parts)
          let isReported = issues.first?.hasPrefix("The replay ends before") == true
          let records = isReported ? [] : parts[1].withoutEffectsOfDropped.records
          var replayed = parts[0]
          replayed.records += records
          guard issues.count == (isReported ? 1 : 0), transcript == replayed.transcript else {
            let place = "LIFECYCLE_SEED=\(seed), \(length) from \(begin) on"
            expectNoDifference(issues, [], place)
            expectNoDifference(transcript, replayed.transcript, place)
            return
          }
          if isReported { reported += 1 } else { bridged += 1 }
        }
      }
    }
    guard seeds(20).count > 1 else { return }
    #expect(bridged > 500 && reported > 500, "\(bridged) bridged, \(reported) reported")
  }
}

extension FlightRecording {
  /// The parts with these records.
  fileprivate func parts(_ ranges: [Range<Int>]) -> [FlightRecording] {
    ranges.map { range in
      var part = self
      for record in records[..<range.lowerBound] { part.start.advance(past: record) }
      part.start.dropped = range.lowerBound
      part.records = Array(records[range])
      return part
    }
  }
}
