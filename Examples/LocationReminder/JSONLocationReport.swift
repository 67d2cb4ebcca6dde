import ProgramReporting
package import ReactiveLifecycle

/// A report of one JSON object per line.
package final class JSONLocationReport: LocationReport {
  private let write: (String) -> Void

  package init(write: @escaping (String) -> Void) {
    self.write = write
  }

  package func event(_ event: LifecycleEvent) {
    write(JSONLine.text(of: event))
  }

  package func suppressed(_ input: SuppressedInput) {
    write(JSONLine.text(of: input))
  }

  package func position(_ fix: Track.Fix) {
    var line = JSONLine(type: "position")
    line.add(fix.position)
    line.add("trackSeconds", fix.time.secondsInMilliseconds)
    write(line.text)
  }

  package func rest(requested: Duration, granted: Duration) {
    var line = JSONLine(type: "rest")
    line.add("seconds", requested.secondsInMilliseconds)
    line.add("grantedSeconds", granted.secondsInMilliseconds)
    write(line.text)
  }

  package func reminder(_ position: Position, distance: Double) {
    var line = JSONLine(type: "reminder")
    line.add(position)
    line.add("distanceMeters", (distance * 10).rounded() / 10)
    write(line.text)
  }

  package func summary(_ summary: LocationSummary) {
    var line = JSONLine(type: "summary")
    line.add("positions", summary.positions)
    line.add("skippedSentences", summary.skippedSentences)
    line.add("receiverOnSeconds", summary.receiverOn.secondsInMilliseconds)
    write(line.text)
  }
}

extension JSONLine {
  /// Adds a position with at most seven decimals, which is a centimeter.
  fileprivate mutating func add(_ position: Position) {
    func rounded(_ degrees: Double) -> Double { (degrees * 1e7).rounded() / 1e7 }
    add("latitude", rounded(position.latitude))
    add("longitude", rounded(position.longitude))
  }
}
