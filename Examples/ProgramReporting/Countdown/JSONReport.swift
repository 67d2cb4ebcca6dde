package import LifecycleJournaling
package import ReactiveLifecycle

/// A report with one JSON object per line.
package final class JSONReport: CountdownReport {
  private let write: (String) -> Void

  package init(write: @escaping (String) -> Void) {
    self.write = write
  }

  package func launch(after previousRun: LifecycleJournal.PreviousRun, isNew: Bool) {
    var line = JSONLine(type: "launch")
    line.add("previousExit", previousRun.exit.rawValue)
    if let away = previousRun.timeAway { line.add("awaySeconds", away.secondsInMilliseconds) }
    write(line.text)
  }

  package func event(_ event: LifecycleEvent) {
    write(JSONLine.text(of: event))
  }

  package func suppressed(_ input: SuppressedInput) {
    write(JSONLine.text(of: input))
  }

  package func update(_ update: CountdownDisplay.Update) {
    switch update {
    case .tick(let remainingSeconds, let isClockTrusted):
      var line = JSONLine(type: "tick")
      line.add("remainingSeconds", remainingSeconds)
      if !isClockTrusted { line.add("verified", false) }
      write(line.text)
    case .returned:
      break  // the stay has been written with its event
    case .finished:
      write(JSONLine(type: "finished").text)
    }
  }
}
