import Foundation
import LifecycleCountdowns
import ProgramReporting

/// A line of the report, as the program writes it.
func event(_ number: Int, _ kind: String, _ phase: String, _ origin: String) -> String {
  let members =
    #""kind":"\#(kind)","phase":"\#(phase)","sequence":\#(number),"origin":"\#(origin)""#
  return #"{"type":"event",\#(members)}"#
}

func tick(_ remaining: Int) -> String {
  #"{"type":"tick","remainingSeconds":\#(remaining)}"#
}

let finished = #"{"type":"finished"}"#

/// The events of a launch in the foreground.
let launch = [
  event(1, "didFinishLaunching", "background", "synthesized"),
  event(2, "willEnterForeground", "inactive", "synthesized"),
  event(3, "didBecomeActive", "active", "source"),
]

func termination(_ number: Int) -> [String] {
  [
    event(number, "willResignActive", "inactive", "synthesized"),
    event(number + 1, "didEnterBackground", "background", "synthesized"),
    event(number + 2, "willTerminate", "terminated", "source"),
  ]
}

extension Countdown.State {
  /// What a screen shows of it, for a transcript.
  var shown: String {
    guard status != .finished else { return "finished" }
    return "\(remaining.wholeSeconds) s\(isClockTrusted ? "" : ", unverified")"
  }
}

extension [String] {
  var withoutTicks: [String] { filter { !$0.contains(#""tick""#) } }

  /// The remaining seconds of each tick.
  var ticks: [Int] { reports.compactMap(\.remainingSeconds) }

  private var reports: [ReportLine] {
    compactMap { try? JSONDecoder().decode(ReportLine.self, from: Data($0.utf8)) }
  }
}

extension [Int] {
  /// Whether these are ticks of a countdown: each less than the one before. A busy machine misses some.
  func isCountdown(from first: Int) -> Bool {
    guard let start = self.first, let last else { return false }
    return start <= first && last >= 0 && zip(self, dropFirst()).allSatisfy { $0 > $1 }
  }

  /// The same, through the end.
  func isWholeCountdown(from first: Int) -> Bool {
    isCountdown(from: first) && last == 0
  }
}
