import CustomDump
import LifecycleFlightRecording
import ReactiveLifecycle
import TestSupport
import Testing

@testable import LifecycleTesting

@Suite("Replaying a run of which records are missing")
struct ReplayGapTests {
  /// Two stays in the background, three notes, and the return from the second stay.
  private let life = recording { bus, clock, recorder in
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
  }

  private static func recording(
    _ body: (NonisolatedLifecycleBus, ManualClock, FlightRecorder) -> Void
  ) -> FlightRecording {
    let clock = ManualClock()
    let bus = NonisolatedLifecycleBus(clock: clock)
    let recorder = FlightRecorder(of: bus)
    body(bus, clock, recorder)
    return recorder.recording
  }

  /// Replays parts of a run, and returns the transcript and the messages of the reported issues.
  private func replay(_ parts: [FlightRecording]) -> (LifecycleTranscript, issues: [String]) {
    let lifecycle = NonisolatedScriptedLifecycle(replaying: parts)
    let issues = reportedIssues { lifecycle.replay() }
    return (lifecycle.transcript, issues.map(\.message))
  }

  @Test(
    "Records of another stay in the background are missing, and the return is in a later part",
    arguments: [[0..<8, 14..<20], [0..<8, 14..<15, 15..<17, 17..<20]]
  )
  func otherStay(ranges: [Range<Int>]) {
    let issues = replay(life.parts(ranges)).issues
    expectNoDifference(issues.count, 1)
    expectNoDifference(issues.first?.hasPrefix("The replay ends before recordings[1]."), true)
    expectNoDifference(issues.first?.contains("but 6 records before it are missing"), true)
  }

  @Test("Records of another stay are missing, and the return is after a second gap")
  func otherStayBeforeSecondGap() {
    let issues = replay(life.parts([0..<8, 14..<15, 16..<20])).issues
    expectNoDifference(issues.count, 1)
    expectNoDifference(issues.first?.hasPrefix("The replay ends before recordings[2]."), true)
  }

  @Test(
    "A gap within the stay that the return ends changes nothing",
    arguments: [[0..<15, 16..<20], [0..<14, 15..<16, 16..<20], [0..<14, 16..<20]]
  )
  func sameStay(ranges: [Range<Int>]) {
    let (transcript, issues) = replay(life.parts(ranges))
    expectNoDifference(transcript, life.transcript)
    expectNoDifference(issues, [])
  }

  @Test("Nor does a gap within a stay that began before the first part")
  func stayFromBefore() {
    let parts = life.parts([14..<15, 16..<20])
    let (transcript, issues) = replay(parts)
    expectNoDifference(transcript, life.parts([14..<20])[0].transcript)
    expectNoDifference(issues, [])
  }

  @Test("An event whose input is missing is not replayed")
  func missingInput() {
    let life = Self.recording { bus, _, _ in
      for kind: LifecycleEvent.Kind in [
        .didFinishLaunching, .didReceiveMemoryWarning, .didBecomeActive,
      ] {
        bus.send(kind)
      }
    }
    let (transcript, issues) = replay(life.parts([0..<2, 3..<life.records.count]))
    var rest = life
    rest.records.removeSubrange(2..<4)
    expectNoDifference(transcript, rest.transcript)
    expectNoDifference(issues, [])
  }

  @Test("An event whose input is in the part before is replayed, though another record is missing")
  func inputBeforeGap() {
    let life = Self.recording { bus, _, recorder in
      bus.send(.didFinishLaunching)
      recorder.note("damaged")
      bus.send(.didReceiveMemoryWarning)
      bus.send(.didBecomeActive)
    }
    var parts = life.parts([0..<4, 4..<life.records.count])
    parts[0].records.remove(at: 2)
    let (transcript, issues) = replay(parts)
    expectNoDifference(transcript, life.transcript)
    expectNoDifference(issues, [])
  }

  @Test("A gap in a random life is reported, or changes nothing that is replayed")
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
