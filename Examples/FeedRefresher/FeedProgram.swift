package import Foundation
package import LifecycleBackgroundWork
import LifecycleCombine
package import ProgramReporting
import ReactiveLifecycle

/// A process that refreshes a feed, on a bus that receives the process's signals.
@MainActor
package enum FeedProgram {
  /// Fetches once, and continues if there is an interval. A signal ends the process earlier.
  ///
  /// - Parameters:
  ///   - url: An address with the scheme http or https.
  ///   - interval: The time between two fetches in the background; nil for one fetch.
  ///   - deadline: The time that a fetch may take.
  ///   - format: The format of the report on standard output.
  ///   - diagnose: Called with messages for the user that no program reads.
  /// - Returns: The result of the first fetch.
  /// - Throws: `DescriptorOutput.Failure`, or the error of a source that cannot start.
  package static func run(
    url: URL,
    interval: Duration?,
    deadline: Duration,
    format: ReportFormat,
    diagnose: @escaping @Sendable (String) -> Void
  ) async throws -> BackgroundFetchResult {
    let run = ProgramRun()
    let write: (String) -> Void = { [weak run] in run?.write($0) }
    let report: any FeedReport =
      switch format {
      case .text: TextFeedReport(TextPage(terminal: Terminal(descriptor: 1), write: write))
      case .json: JSONFeedReport(write: write)
      }
    let client = FeedClient(url)
    let refresher = FeedRefresher(
      deadline: deadline,
      on: run.bus,
      tasks: .application
    ) { onProgress in
      try await client.refresh(onProgress: onProgress).map(\.title)
    }
    refresher.onUpdate = { update in
      switch update {
      case .progress(let bytes): report.progress(bytes: bytes)
      case .fetch(let fetch): report.fetch(fetch)
      }
    }
    let scope = LifecycleScope("program")
    let enter = EnterKey(descriptor: 0) { Task { await refresher.fetch() } }
    if interval != nil {
      // A program that is about to exit leaves typed input to the next one.
      run.bus.phases.sink { phase in enter.isEnabled = phase.isForeground }.store(in: scope)
    }
    try run.start(report, diagnose: diagnose)
    refresher.appear(interval: interval)
    let result = await refresher.fetch() ?? .noData
    if interval == nil { run.conclude() }
    try await run.untilConcluded()
    refresher.disappear()
    scope.end()
    run.stop()
    return result
  }
}
