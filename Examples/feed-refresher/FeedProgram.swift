import Foundation
import LifecycleBackgroundWork
import LifecycleCombine
import LifecycleSources
import ProgramReporting
import ReactiveLifecycle

/// A feed that is looked at by a process: on a bus that is fed by the process' signals.
@MainActor
struct FeedProgram {
  private let url: URL
  private let interval: Duration?
  private let deadline: Duration
  private let format: ReportFormat
  private let diagnose: @Sendable (String) -> Void

  /// - Parameters:
  ///   - url: Of http or https.
  ///   - interval: How much time there is between two fetches in the background; nil for one fetch.
  ///   - deadline: How long a fetch may take.
  ///   - format: How it is reported on standard output.
  ///   - diagnose: Told what a user should know and no program reads.
  init(
    url: URL,
    interval: Duration?,
    deadline: Duration,
    format: ReportFormat,
    diagnose: @escaping @Sendable (String) -> Void
  ) {
    self.url = url
    self.interval = interval
    self.deadline = deadline
    self.format = format
    self.diagnose = diagnose
  }

  /// Fetches once, and goes on if there is an interval. A signal ends the process earlier.
  ///
  /// - Returns: What the first fetch has brought.
  /// - Throws: `DescriptorOutput.Failure`, or what the source throws that cannot start.
  func run() async throws -> BackgroundFetchResult {
    let run = ProgramRun()
    let report = makeReport { [weak run] in run?.write($0) }
    let refresher = FeedRefresher(
      FeedClient(url),
      deadline: deadline,
      on: run.bus,
      under: BackgroundTaskCoordinator(host: .process())
    )
    refresher.onUpdate = { update in
      switch update {
      case .progress(let bytes): report.progress(bytes: bytes)
      case .fetch(let fetch): report.fetch(fetch)
      }
    }
    let scope = LifecycleScope("program")
    let enter = EnterKey(descriptor: 0) { Task { await refresher.fetch() } }
    if interval != nil {
      // A program that is about to exit leaves what is typed to the next one.
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

  private func makeReport(write: @escaping (String) -> Void) -> any FeedReport {
    switch format {
    case .text: TextFeedReport(TextPage(terminal: Terminal(descriptor: 1), write: write))
    case .json: JSONFeedReport(write: write)
    }
  }
}
