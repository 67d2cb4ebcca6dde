import ReactiveLifecycle

/// One JSON object a line.
package final class JSONReport: CountdownReport {
  private let write: (String) -> Void

  package init(write: @escaping (String) -> Void) {
    self.write = write
  }

  package func launch(after previousRun: LifecycleJournal.PreviousRun, isNew: Bool) {
    var line = JSONLine(type: "launch")
    line.add("previousExit", previousRun.exit.rawValue)
    if let away = previousRun.away { line.add("awaySeconds", away.secondsInMilliseconds) }
    write(line.text)
  }

  package func event(_ event: LifecycleEvent) {
    var line = JSONLine(type: "event")
    line.add("kind", event.kind.rawValue)
    line.add("phase", event.phase.rawValue)
    line.add("sequence", event.sequenceNumber)
    line.add("origin", event.origin.word)
    write(line.text)
    if let stay = event.backgroundStay { self.stay(stay) }
  }

  package func suppressed(_ input: SuppressedInput) {
    var line = JSONLine(type: "suppressed")
    line.add("kind", input.kind.rawValue)
    line.add("reason", input.reason.rawValue)
    write(line.text)
  }

  package func update(_ update: CountdownDisplay.Update) {
    switch update {
    case .tick(let remainingSeconds, let isVerified):
      var line = JSONLine(type: "tick")
      line.add("remainingSeconds", remainingSeconds)
      if !isVerified { line.add("verified", false) }
      write(line.text)
    case .returned:
      break  // the stay has been written with its event
    case .finished:
      write(JSONLine(type: "finished").text)
    }
  }

  private func stay(_ stay: BackgroundStay) {
    var line = JSONLine(type: "stay")
    line.add("seconds", stay.duration.secondsInMilliseconds)
    line.add("asleepSeconds", stay.asleep.secondsInMilliseconds)
    write(line.text)
  }
}

extension LifecycleEvent.Origin {
  /// The origin without the name of its source.
  fileprivate var word: String {
    if case .source = self { "source" } else { description }
  }
}
