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

func reportLine(_ line: String) throws -> ReportLine {
  try JSONDecoder().decode(ReportLine.self, from: Data(line.utf8))
}
