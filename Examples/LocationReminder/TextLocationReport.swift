import Foundation
package import ProgramReporting
package import ReactiveLifecycle

/// A report for people: on a terminal, the progress of the track, and a sentence for each event.
package final class TextLocationReport: LocationReport {
  private let page: TextPage
  private let length: Duration
  private let receiverOn: () -> Duration
  /// The time that the receiver had been on when the process went to the background.
  private var receiverOnBefore = Duration.zero
  private var hasToldOfShortRests = false

  /// - Parameters:
  ///   - page: The page to which the report is written.
  ///   - length: The duration of the track.
  ///   - receiverOn: Returns the time for which the receiver was on.
  package init(_ page: TextPage, length: Duration, receiverOn: @escaping () -> Duration) {
    self.page = page
    self.length = length
    self.receiverOn = receiverOn
  }

  package func event(_ event: LifecycleEvent) {
    if event.phase < event.previousPhase, event.phase == .background {
      // The shell, or the next program that has the terminal, begins on a new line.
      page.endLine()
      receiverOnBefore = receiverOn()
    }
    if event.phase == .terminated {
      page.say("Ended early. The receiver was on for \(Sentence.span(receiverOn())).")
    }
    if let stay = event.backgroundStay {
      let on = Sentence.span(receiverOn() - receiverOnBefore)
      page.say("\(Sentence.description(of: stay)) The receiver was on for \(on) of it.")
    }
  }

  package func suppressed(_ input: SuppressedInput) {}

  package func position(_ fix: Track.Fix) {
    // Nothing is drawn while another program has the terminal.
    guard page.terminal?.isOurs == true else { return }
    let times = [fix.time, length].map { Sentence.time(Int($0 / .seconds(1))) }
    page.draw(
      "\(times[0]) of \(times[1])  \(Self.text(fix.position))",
      fraction: length > .zero ? fix.time / length : 1
    )
  }

  package func rest(requested: Duration, granted: Duration) {
    guard granted < requested, !hasToldOfShortRests else { return }
    hasToldOfShortRests = true
    let (wanted, got) = (Sentence.span(requested), Sentence.span(granted))
    page.say(
      "A rest of \(wanted) exceeds the time that the system grants, and was shortened to \(got)."
    )
  }

  package func reminder(_ position: Position, distance: Double) {
    let meters = Int(distance.rounded())
    page.say("You have arrived: \(Self.text(position)) is \(meters) m from the place.")
  }

  package func summary(_ summary: LocationSummary) {
    let skipped = summary.skippedSentences
    page.say(
      "The track has ended: \(summary.positions) \(summary.positions == 1 ? "position" : "positions"),"
        + " \(skipped) \(skipped == 1 ? "sentence" : "sentences") skipped."
        + " The receiver was on for \(Sentence.span(summary.receiverOn))."
    )
  }

  private static func text(_ position: Position) -> String {
    String(format: "%.5f, %.5f", position.latitude, position.longitude)
  }
}
