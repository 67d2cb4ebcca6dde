import CustomDump
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@testable import LifecycleFlightRecording

/// Random scripts on a bus with recorders, against what transcribers hear, and against the state of
/// the bus itself, with which a recorder begins.
///
/// A failure names its seed; `LIFECYCLE_SEED=1234` runs that seed alone.
@Suite("The flight recorder: random scripts")
struct RecordingModelTests {
  @Test("A recording has what transcribers hear, and leads to the state of the bus")
  @MainActor
  func randomScripts() {
    var reasons: [SuppressedInput.Reason: Int] = [:]
    var records = 0
    for seed in seeds(2_000) {
      let run = Run(seed)
      for _ in 0..<60 { run.step() }
      check(run, "LIFECYCLE_SEED=\(seed)")
      for input in run.suppressed.values { reasons[input.reason, default: 0] += 1 }
      records += run.whole.recording.records.count
    }
    guard seeds(2_000).count > 1 else { return }
    #expect(records > 80_000)
    for reason in SuppressedInput.Reason.allCases {
      #expect(reasons[reason, default: 0] > 200, "\(reason) hardly ever happens")
    }
  }

  private func check(_ run: Run, _ seed: String) {
    let recording = run.whole.recording
    let records = recording.records
    expectNoDifference(recording.start.dropped, 0, seed)
    expectNoDifference(records.compactMap(\.event), run.events.values, seed)
    // The stream of suppressed inputs ends with the release.
    expectNoDifference(
      records.prefix(run.released ?? records.count).compactMap(\.suppressedInput),
      run.suppressed.values.map(\.bare),
      seed
    )
    expectNoDifference(records.count { $0.input != nil }, run.inputs, seed)
    checkCauses(records, seed)
    checkObservers(records, seed)

    // A recorder that begins now takes the state from the bus.
    let end = folded(recording.start, records)
    if run.released == nil { expectNoDifference(end, FlightRecording.Start(run.core), seed) }
    let short = run.short.recording
    expectNoDifference(folded(short.start, short.records), end, seed)
    let withoutNotes = records.filter { if case .note = $0.content { false } else { true } }
    expectNoDifference(short.records, withoutNotes.suffix(short.records.count), seed)
    expectNoDifference(short.start.dropped + short.records.count, withoutNotes.count, seed)
    let dropped = withoutNotes.prefix(short.start.dropped)
    expectNoDifference(folded(recording.start, dropped), short.start.comparable, seed)
  }

  /// Each input that is not suppressed is followed by its events, the last of which is its own.
  private func checkCauses(_ records: [FlightRecord], _ seed: String) {
    for (index, record) in records.enumerated() {
      guard let input = record.input else { continue }
      let events = records[(index + 1)...].prefix { $0.event != nil }.compactMap(\.event)
      if input.suppressed != nil {
        #expect(events.isEmpty, "\(seed), \(record.line)")
      } else {
        #expect(events.allSatisfy { $0.instant == record.instant }, "\(seed), \(record.line)")
        #expect(!events.isEmpty, "\(seed), \(record.line)")
      }
    }
  }

  /// Observers are numbered from 1, and leave at most once.
  private func checkObservers(_ records: [FlightRecord], _ seed: String) {
    var live: Set<Int> = []
    var last = 0
    for record in records {
      switch record.content {
      case .observerAdded(let observer):
        last += 1
        expectNoDifference(observer.id, last, "\(seed)")
        live.insert(observer.id)
      case .observerRemoved(let observer):
        #expect(live.remove(observer) != nil, "\(seed)")
      default: break
      }
    }
  }

  private func folded(
    _ start: FlightRecording.Start,
    _ records: some Sequence<FlightRecord>
  ) -> FlightRecording.Start {
    var start = start
    for record in records { start.advance(past: record) }
    return start.comparable
  }
}

extension FlightRecording.Start {
  /// The state of a bus, without its instant and the count of dropped records.
  fileprivate init(_ core: LifecycleBusCore) {
    let tap = FlightTap(
      capacity: 1,
      start: FlightRecording.Start(at: LifecycleInstant(everyClock: .zero))
    )
    core.addTap(tap)
    core.removeTap(tap)
    self = tap.start.comparable
  }

  fileprivate var comparable: Self {
    var start = self
    start.instant = LifecycleInstant(everyClock: .zero)
    start.dropped = 0
    return start
  }
}

/// What a recording and a transcriber both know of a suppressed input.
private struct BareInput: Equatable {
  let kind: LifecycleEvent.Kind
  let reason: SuppressedInput.Reason
  let instant: LifecycleInstant
}

extension SuppressedInput {
  fileprivate var bare: BareInput { BareInput(kind: kind, reason: reason, instant: instant) }
}

extension FlightRecord {
  fileprivate var suppressedInput: BareInput? {
    guard let input, let reason = input.suppressed else { return nil }
    return BareInput(kind: input.kind, reason: reason, instant: instant)
  }
}
