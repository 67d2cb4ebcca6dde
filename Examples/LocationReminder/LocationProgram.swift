package import LifecycleBackgroundWork
import LifecycleCombine
package import ProgramReporting
import ReactiveLifecycle

/// A reminder that runs as a process: it plays a track, on a bus that receives the process's
/// signals.
@MainActor
package enum LocationProgram {
  package struct Options: Sendable {
    package var rate: Double
    package var place: Position?
    /// The radius in meters.
    package var radius: Double
    package var cycle: DutyCycle
    /// A Boolean value that indicates whether coarse positions keep the process running during a
    /// rest.
    package var isCoarseWhileResting: Bool
    package var format: ReportFormat

    package init(
      rate: Double,
      place: Position?,
      radius: Double,
      cycle: DutyCycle,
      isCoarseWhileResting: Bool = false,
      format: ReportFormat
    ) {
      self.rate = rate
      self.place = place
      self.radius = radius
      self.cycle = cycle
      self.isCoarseWhileResting = isCoarseWhileResting
      self.format = format
    }
  }

  /// Runs until the track has ended. A signal ends the process earlier.
  ///
  /// - Parameters:
  ///   - track: A track that has at least one fix.
  ///   - options: The options that the user has chosen.
  ///   - diagnose: Called with messages for the user that no program reads.
  /// - Throws: `DescriptorOutput.Failure`, or the error of a source that cannot start.
  package static func run(
    _ track: Track,
    _ options: Options,
    diagnose: @escaping @Sendable (String) -> Void
  ) async throws {
    let run = ProgramRun()
    let receiver = TrackReceiver(track, rate: options.rate, clock: .system)
    let reminder = LocationReminder(
      receiver.fixes,
      resting: options.isCoarseWhileResting ? receiver.coarseFixes : nil,
      distance: { [place = options.place] fix in place.map { fix.position.distance(to: $0) } },
      radius: options.radius,
      cycle: options.cycle,
      on: run.bus,
      tasks: .application
    )
    let write: (String) -> Void = { [weak run] in run?.write($0) }
    let report: any LocationReport =
      switch options.format {
      case .text:
        TextLocationReport(
          TextPage(terminal: Terminal(descriptor: 1), write: write),
          length: track.duration,
          receiverOn: { reminder.receiverOn }
        )
      case .json: JSONLocationReport(write: write)
      }
    reminder.onUpdate = { update in
      switch update {
      case .location(let fix): report.position(fix)
      case .rest(let rest): report.rest(requested: rest.requested, granted: rest.granted)
      case .arrival(let fix, let distance): report.reminder(fix.position, distance: distance)
      }
    }
    receiver.onEnd = {
      report.summary(
        LocationSummary(
          positions: reminder.locationCount,
          skippedSentences: track.skippedSentences,
          receiverOn: reminder.receiverOn
        )
      )
      run.conclude()
    }
    try run.start(report, diagnose: diagnose)
    reminder.appear()
    try await run.untilConcluded()
    reminder.disappear()
    run.stop()
  }
}
