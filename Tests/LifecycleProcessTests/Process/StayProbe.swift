import Foundation
import JobControl
import LifecycleCore
import TestSupport
import Testing

/// A running `lifecycle-probe stay`, seen from the test.
final class StayProbe {
  /// The test's own readings around something that happened in between.
  struct Bracket {
    let before: LifecycleInstant
    let after: LifecycleInstant
  }

  let job: Job
  let session: JobControlSession
  private let clock = SystemLifecycleClock()

  /// - Parameters:
  ///   - wrapper: A program and its arguments that start the probe in their turn.
  ///   - environment: Variables in addition to those of the session.
  init(
    _ session: JobControlSession,
    wrapper: [String] = [],
    environment: [String: String] = [:]
  ) throws {
    let arguments = wrapper + [try builtProgramPath("lifecycle-probe"), "stay"]
    self.session = session
    job = try session.launch(with(JobRequest(arguments)) { $0.environment = environment })
    try job.nextLine("ready") { $0 == "ready" }
  }

  /// Sends an input, and waits until it has been delivered or suppressed.
  ///
  /// - Returns: The stay that the input ended; and when it was sent.
  func send(
    _ kind: LifecycleEvent.Kind,
    at instant: LifecycleInstant? = nil
  ) throws -> (stay: BackgroundStay?, sent: Bracket) {
    let text = instant.map { " \(Self.text($0.readings))" }
    let before = clock.now
    try session.terminal.type("send \(kind.rawValue)\(text ?? "")\n")
    var stay: [Duration]?
    while true {
      let line = try job.nextLine("an outcome") { !$0.isEmpty }
      if line.hasPrefix("stay ") { stay = Self.durations(line) } else { break }
    }
    let sent = Bracket(before: before, after: clock.now)
    return (try stay.map { try Self.stay($0) }, sent)
  }

  /// What the probe's clocks show.
  func now() throws -> LifecycleInstant {
    try session.terminal.type("now\n")
    let readings = Self.durations(try job.nextLine("an instant") { $0.hasPrefix("now ") })
    try #require(readings.count == 3)
    return LifecycleInstant(readings)
  }

  /// Stops the probe, and has it continue when the continuous clock shows that a tenth of a second has
  /// passed.
  ///
  /// - Returns: For how long it was stopped at least.
  func stopAndContinue() throws -> Duration {
    try session.signal(SIGSTOP, job)
    #expect(try job.nextStatus().status == .stopped(SIGSTOP))
    let stopped = clock.continuous
    session.idle(for: .milliseconds(100))
    let length = clock.continuous - stopped
    try session.foreground(job)
    #expect(try job.nextStatus().status == .continued)
    return length
  }

  private static func durations(_ line: String) -> [Duration] {
    line.split(separator: " ").compactMap { Int64($0) }.map { .nanoseconds($0) }
  }

  /// A stay that breaks its rules can't be decoded.
  private static func stay(_ parts: [Duration]) throws -> BackgroundStay {
    try #require(parts.count == 3)
    let encoded = ["duration": parts[0], "timeAsleep": parts[1], "wallClockShift": parts[2]]
    return try JSONDecoder().decode(BackgroundStay.self, from: JSONEncoder().encode(encoded))
  }

  private static func text(_ durations: [Duration]) -> String {
    durations.map { duration in
      let (seconds, attoseconds) = duration.components
      return "\(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)"
    }.joined(separator: " ")
  }
}

/// Expects that a stay is what the test's own readings allow: no less than from after the input down to
/// before the input up, no more than from before the one to after the other.
///
/// - Parameters:
///   - offset: By how much more the probe's three clocks have advanced than the test's.
func expectStay(
  _ stay: BackgroundStay,
  from down: StayProbe.Bracket,
  to up: StayProbe.Bracket,
  offset: (continuous: Duration, suspending: Duration, wall: Duration) = (.zero, .zero, .zero),
  sourceLocation: SourceLocation = #_sourceLocation
) {
  func bounds(
    _ reading: (LifecycleInstant) -> Duration,
    _ offset: Duration
  ) -> (low: Duration, high: Duration) {
    (
      reading(up.before) - reading(down.after) + offset,
      reading(up.after) - reading(down.before) + offset
    )
  }
  let continuous = bounds(\.continuous.timeSinceBoot, offset.continuous)
  let suspending = bounds(\.timeAwake, offset.suspending)
  let wall = bounds(\.timeSince1970, offset.wall)
  // Not a range, which must not be empty: it is if the machine's clock was set meanwhile.
  func expect(_ value: Duration, _ low: Duration, _ high: Duration, _ name: String) {
    #expect(
      low <= value && value <= high,
      "\(name) \(value): not from \(low) to \(high)",
      sourceLocation: sourceLocation
    )
  }
  expect(stay.timeAway, continuous.low, continuous.high, "duration")
  expect(
    stay.timeAsleep,
    max(continuous.low - suspending.high, .zero),
    max(continuous.high - suspending.low, .zero),
    "asleep"
  )
  expect(
    stay.wallClockShift,
    wall.low - continuous.high,
    wall.high - continuous.low,
    "wallClockShift"
  )
}
