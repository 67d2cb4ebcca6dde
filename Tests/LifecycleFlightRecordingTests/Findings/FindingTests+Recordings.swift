import LifecycleFlightRecording
import ReactiveLifecycle

/// The recordings of these tests.
extension FindingTests {
  var location: LifecycleObserverLocation {
    LifecycleObserverLocation(fileID: "App/Feed.swift", line: 12)
  }

  func instant(
    _ seconds: Double,
    asleep: Double = 0,
    shift: Double = 0
  ) -> LifecycleInstant {
    LifecycleInstant(
      continuous: .boot + .seconds(seconds),
      timeAwake: .seconds(seconds - asleep),
      timeSince1970: .seconds(1_000_000 + seconds + shift)
    )
  }

  /// A recording with a second between two records.
  func recording(
    at start: Double = 0,
    _ contents: FlightRecord.Content...
  ) -> FlightRecording {
    FlightRecording(
      process: .init(name: "app", id: 1),
      start: .init(at: instant(start)),
      records: contents.enumerated().map {
        FlightRecord($0.element, at: instant(start + Double($0.offset)))
      }
    )
  }

  /// The findings in words, without that of the missing end.
  func sentences(_ recording: FlightRecording, all: Bool = false) -> [String] {
    recording.findings().filter { all || $0.content != .noTermination }.map(\.description)
  }

  func input(
    _ kind: LifecycleEvent.Kind,
    _ source: Int,
    _ reason: SuppressedInput.Reason? = nil
  ) -> FlightRecord.Content {
    .input(FlightInput(kind, from: source, suppressed: reason))
  }

  func event(
    _ kind: LifecycleEvent.Kind,
    _ previous: LifecyclePhase,
    _ phase: LifecyclePhase
  ) -> FlightRecord.Content {
    .event(makeEvent(kind, previous, phase))
  }

  func stay(_ seconds: Double) -> FlightRecord.Content {
    var event = makeEvent(.willEnterForeground, .background, .inactive)
    event.backgroundStay = BackgroundStay(from: instant(0), to: instant(seconds))
    return .event(event)
  }

  func makeEvent(
    _ kind: LifecycleEvent.Kind,
    _ previous: LifecyclePhase,
    _ phase: LifecyclePhase
  ) -> LifecycleEvent {
    LifecycleEvent(
      kind: kind,
      previousPhase: previous,
      phase: phase,
      sequenceNumber: 1,
      instant: instant(0),
      origin: .source("signals")
    )
  }
}
