public import LifecycleFlightRecording
import ReactiveLifecycle

extension FlightRecording: LifecycleTranscriptConvertible {
  /// The events and the suppressed inputs of the recording, in the style of a scripted lifecycle's
  /// transcript, with exact durations. The time is that since the start of the recording.
  ///
  /// ```swift
  /// expectLifecycle(recording, matches: "  [0 s background] didFinishLaunching (manual)")
  /// ```
  public var transcript: LifecycleTranscript {
    LifecycleTranscript(transcriptLines.map(\.line))
  }

  /// The lines of the transcript, each with the position of its record.
  var transcriptLines: [(record: Int, line: LifecycleTranscript.Line)] {
    let style = LifecycleTranscript.Style()
    var lines: [(Int, LifecycleTranscript.Line)] = []
    var names = Dictionary(start.sources.map { ($0.id, $0.name) }) { $1 }
    var phase = start.phase
    var time = Duration.zero
    for (position, record) in records.enumerated() {
      // An input may have been sent with an earlier instant.
      time = max(time, start.instant.continuous.duration(to: record.instant.continuous))
      let text: String
      switch record.content {
      case .connected(let source):
        names[source.id] = source.name
        continue
      case .event(let event):
        phase = event.phase
        text = style.text(of: event)
      case .input(let input):
        guard let suppressed = SuppressedInput(input, names, at: record.instant) else { continue }
        text = style.text(of: suppressed)
      case .disconnected, .observerAdded, .observerRemoved, .activity, .note, .ended: continue
      }
      lines.append((position, .entry(time: time, phase: phase, text: text)))
    }
    return lines
  }
}

extension SuppressedInput {
  /// Creates the suppressed input of a recorded one; nil if observers received it.
  fileprivate init?(
    _ input: FlightInput,
    _ names: [Int: LifecycleSourceName],
    at instant: LifecycleInstant
  ) {
    guard let reason = input.suppressed else { return nil }
    let source = names[input.source] ?? .unrecorded(input.source)
    self.init(
      kind: input.kind,
      reason: reason,
      origin: input.source == 0 ? .manual : .source(source),
      instant: instant
    )
  }
}
