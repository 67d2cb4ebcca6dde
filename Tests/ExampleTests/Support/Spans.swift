import Foundation
import ProgramReporting
import Testing

/// When something happened, as the test sees it: between two readings of the clock.
typealias Span = ClosedRange<ContinuousClock.Instant>

/// Runs the body, and says between which moments that was.
func measured<Result>(
  _ body: () throws -> Result
) rethrows -> (result: Result, during: Span) {
  let start = ContinuousClock.now
  let result = try body()
  return (result, start...ContinuousClock.now)
}

/// Expects that a tick is right for a countdown that began in the one span and ticked in the other.
func expectRemaining(
  _ tick: String?,
  of seconds: Int,
  begun: Span,
  ticked: Span,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let tick = try #require(tick, sourceLocation: sourceLocation)
  let remaining = try #require(reportLine(tick).remainingSeconds, sourceLocation: sourceLocation)
  func rest(_ elapsed: Duration) -> Int {
    max(0, Int((Double(seconds) - elapsed / .seconds(1)).rounded(.up)))
  }
  let least = rest(ticked.upperBound - begun.lowerBound)
  let most = rest(ticked.lowerBound - begun.upperBound)
  #expect((least...most).contains(remaining), sourceLocation: sourceLocation)
}

func reportLine(_ line: String) throws -> ReportLine {
  try JSONDecoder().decode(ReportLine.self, from: Data(line.utf8))
}
