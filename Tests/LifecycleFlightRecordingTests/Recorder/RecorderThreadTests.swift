import CustomDump
import LifecycleCore
import LifecycleFlightRecording
import TestSupport
import Testing

/// Many threads at once: the recording is complete, and in the one order of the bus.
@Suite("The flight recorder: threads")
struct RecorderThreadTests {
  private static let rounds = 200
  private static let threads = 4

  @Test("Threads that send, connect, observe and note at once are recorded in the order of the bus")
  func everythingAtOnce() async throws {
    let bus = NonisolatedLifecycleBus()
    let recorder = FlightRecorder(of: bus, capacity: 100_000)
    let small = FlightRecorder(of: bus, capacity: 64)
    await awaitOtherThreads(Self.threads) { thread in
      let source = TestSource("source")
      guard
        let connection = try? bus.connect(source, as: .participant(.init(rawValue: "\(thread)")))
      else { return }
      for round in 0..<Self.rounds {
        source.feed.send(.systemDidWake, metadata: ["from": "\(thread)", "round": "\(round)"])
        source.feed.send(round.isMultiple(of: 2) ? .didBecomeActive : .didEnterBackground)
        let token = bus.addObserver { _ in }
        recorder.note("\(thread)")
        if round.isMultiple(of: 20) { expectConsistent(small.recording) }
        if round.isMultiple(of: 50) {
          let passing = FlightRecorder(of: bus)
          source.feed.part(as: .participant("part")).send(.didBecomeActive)
          expectConsistent(passing.recording)
        }
        token.cancel()
      }
      connection.cancel()
    }
    let recording = recorder.recording
    expectConsistent(recording)
    expectConsistent(small.recording)
    var live: Set<Int> = []
    var sources: Set<Int> = []
    var observers = 0
    var rounds = Array(repeating: 0, count: Self.threads)
    for record in recording.records {
      switch record.content {
      case .connected(let source): sources.insert(source.id)
      case .disconnected(let source): #expect(sources.remove(source) != nil)
      case .observerAdded(let observer, _):
        observers += 1
        live.insert(observer)
      case .observerRemoved(let observer): #expect(live.remove(observer) != nil)
      case .input(let input):
        guard let thread = input.metadata["from"].flatMap(Int.init) else { continue }
        expectNoDifference(input.metadata["round"], "\(rounds[thread])")
        rounds[thread] += 1
      default: break
      }
    }
    expectNoDifference(rounds, Array(repeating: Self.rounds, count: Self.threads))
    expectNoDifference(observers, Self.rounds * Self.threads)
    #expect(live.isEmpty)
    let notes = recording.records.count { if case .note = $0.content { true } else { false } }
    expectNoDifference(notes, Self.rounds * Self.threads)
    #expect(sources.isEmpty)
  }
}

/// Expects the events of a recording to follow each other, from the phase of its start on.
private func expectConsistent(_ recording: FlightRecording) {
  var phase = recording.start.phase
  var number: Int?
  for event in recording.records.compactMap(\.event) {
    expectNoDifference(event.previousPhase, phase)
    if let number { expectNoDifference(event.sequenceNumber, number + 1) }
    phase = event.phase
    number = event.sequenceNumber
  }
}
