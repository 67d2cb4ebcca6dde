package import ReactiveLifecycle

extension JSONLine {
  /// Returns one line for an event, and one for the background stay that it ends, if any.
  package static func text(of event: LifecycleEvent) -> String {
    var line = JSONLine(type: "event")
    line.add("kind", event.kind.rawValue)
    line.add("phase", event.phase.rawValue)
    line.add("sequence", event.sequenceNumber)
    line.add("origin", event.origin.word)
    return line.text + (event.backgroundStay.map(text) ?? "")
  }

  package static func text(of input: SuppressedInput) -> String {
    var line = JSONLine(type: "suppressed")
    line.add("kind", input.kind.rawValue)
    line.add("reason", input.reason.rawValue)
    return line.text
  }

  private static func text(of stay: BackgroundStay) -> String {
    var line = JSONLine(type: "stay")
    line.add("seconds", stay.timeAway.secondsInMilliseconds)
    line.add("asleepSeconds", stay.timeAsleep.secondsInMilliseconds)
    return line.text
  }
}

extension LifecycleEvent.Origin {
  /// The origin without the name of its source.
  fileprivate var word: String {
    if case .source = self { "source" } else { description }
  }
}
