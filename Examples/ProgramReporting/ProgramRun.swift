import LifecycleCombine
import LifecycleSources
package import ReactiveLifecycle

/// A run of a program: a bus that is fed by the process' signals, and a report on standard output.
@MainActor
package final class ProgramRun {
  package let bus = LifecycleBus()

  private let output: DescriptorOutput
  private let end: AsyncThrowingStream<Never, any Error>
  private let finish: AsyncThrowingStream<Never, any Error>.Continuation
  private let reporting = LifecycleScope("report")
  private var connection: LifecycleCancellable?
  private var report: (any LifecycleReport)?
  /// What was reported before the first line; nil after that.
  private var held: String? = ""
  private var hasReportedTheEnd = false

  package init() {
    let (end, finish) = AsyncThrowingStream.makeStream(of: Never.self)
    (self.end, self.finish) = (end, finish)
    output = DescriptorOutput(descriptor: 1) { finish.finish(throwing: $0) }
    // Whoever observes the bus between this call and the one in `start` knows of every step before
    // it is reported: the way up is told from the first observer to the last, the way down backwards.
    reportEvents { $0.phase < $0.previousPhase }
  }

  /// Connects the process' signals, and reports what happens from then on.
  ///
  /// - Parameters:
  ///   - report: Told what happens to the process.
  ///   - diagnose: Told what a user should know and no program reads.
  ///   - reportFirst: Called when the phase of the process is known, before that is reported.
  /// - Throws: What the source throws that cannot start.
  package func start(
    _ report: any LifecycleReport,
    diagnose: @escaping @Sendable (String) -> Void,
    reportFirst: () -> Void = {}
  ) throws {
    self.report = report
    reportEvents { $0.phase >= $0.previousPhase }
    bus.suppressedInputs.sink { report.suppressed($0) }.store(in: reporting)
    connection = try bus.connect(
      .processSignals(onOverrun: { @Sendable in diagnose($0.description) })
    )
    let text = held ?? ""
    held = nil
    reportFirst()
    if !text.isEmpty { output.write(text) }
  }

  /// Writes to standard output: nothing more once the end of the process was reported.
  package func write(_ text: String) {
    guard !hasReportedTheEnd else { return }
    if held == nil { output.write(text) } else { held?.append(text) }
  }

  /// Says that the program is done: nothing that happens to the process is reported any more.
  package func conclude() {
    reporting.end()
    finish.finish()
  }

  /// Returns when the program is done. A signal ends the process earlier.
  ///
  /// - Throws: `DescriptorOutput.Failure`.
  package func untilConcluded() async throws {
    let failure: (any Error)?
    do {
      for try await _ in end {}
      failure = nil
    } catch {
      failure = error
    }
    if bus.phase == .terminated {
      // A signal is about to end the process, which must not end in another way before: the terminal
      // has hung up, say, or what the program waited for was given up.
      try await Task.sleep(for: .seconds(60))
    }
    if let failure { throw failure }
  }

  package func stop() {
    connection?.cancel()
  }

  private func reportEvents(where isReported: @escaping (LifecycleEvent) -> Bool) {
    bus.addObserver(in: reporting) { [weak self] event in
      guard let self, isReported(event) else { return }
      report?.event(event)
      if event.phase == .terminated { hasReportedTheEnd = true }
    }
  }
}
