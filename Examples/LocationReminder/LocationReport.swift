import Foundation
import ProgramReporting
import ReactiveLifecycle

/// The form in which the program reports its activity.
@MainActor
protocol LocationReport: LifecycleReport {
  /// Reports that the receiver has seen a position.
  func position(_ fix: Track.Fix)
  /// Reports that the receiver is off for a while.
  func rest(requested: Duration, granted: Duration)
  /// Reports the arrival at the place.
  func reminder(_ position: Position, distance: Double)
  /// Reports that the track has ended.
  func summary(_ summary: LocationSummary)
}

/// The outcome of a track.
struct LocationSummary: Hashable, Sendable {
  /// The number of positions that the receiver has seen.
  var positions: Int
  var skippedSentences: Int
  var receiverOn: Duration
}

/// A report of one JSON object per line.
final class JSONLocationReport: LocationReport {
  private let write: (String) -> Void

  init(write: @escaping (String) -> Void) {
    self.write = write
  }

  func event(_ event: LifecycleEvent) {
    write(JSONLine.text(of: event))
  }

  func suppressed(_ input: SuppressedInput) {
    write(JSONLine.text(of: input))
  }

  func position(_ fix: Track.Fix) {
    var line = JSONLine(type: "position")
    line.add(fix.position)
    line.add("trackSeconds", fix.time.secondsInMilliseconds)
    write(line.text)
  }

  func rest(requested: Duration, granted: Duration) {
    var line = JSONLine(type: "rest")
    line.add("seconds", requested.secondsInMilliseconds)
    line.add("grantedSeconds", granted.secondsInMilliseconds)
    write(line.text)
  }

  func reminder(_ position: Position, distance: Double) {
    var line = JSONLine(type: "reminder")
    line.add(position)
    line.add("distanceMeters", (distance * 10).rounded() / 10)
    write(line.text)
  }

  func summary(_ summary: LocationSummary) {
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

/// A report for people: on a terminal, the progress of the track, and a sentence for each event.
final class TextLocationReport: LocationReport {
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
  init(_ page: TextPage, length: Duration, receiverOn: @escaping () -> Duration) {
    self.page = page
    self.length = length
    self.receiverOn = receiverOn
  }

  func event(_ event: LifecycleEvent) {
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

  func suppressed(_ input: SuppressedInput) {}

  func position(_ fix: Track.Fix) {
    // Nothing is drawn while another program has the terminal.
    guard page.terminal?.isOurs == true else { return }
    let times = [fix.time, length].map { Sentence.time(Int($0 / .seconds(1))) }
    page.draw(
      "\(times[0]) of \(times[1])  \(Self.text(fix.position))",
      fraction: length > .zero ? fix.time / length : 1
    )
  }

  func rest(requested: Duration, granted: Duration) {
    guard granted < requested, !hasToldOfShortRests else { return }
    hasToldOfShortRests = true
    let (wanted, got) = (Sentence.span(requested), Sentence.span(granted))
    page.say(
      "A rest of \(wanted) exceeds the time that the system grants, and was shortened to \(got)."
    )
  }

  func reminder(_ position: Position, distance: Double) {
    let meters = Int(distance.rounded())
    page.say("You have arrived: \(Self.text(position)) is \(meters) m from the place.")
  }

  func summary(_ summary: LocationSummary) {
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
