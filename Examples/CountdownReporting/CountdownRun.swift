import LifecycleSources
import OpenCombineShim
import ReactiveLifecycle

/// A run of a program that counts down: a bus that is fed by the process' signals, and a report on
/// standard output.
@MainActor
package final class CountdownRun {
  package let bus = LifecycleBus()

  private let format: ReportFormat
  private let output: DescriptorOutput
  private let end: AsyncThrowingStream<Never, any Error>
  private let finish: AsyncThrowingStream<Never, any Error>.Continuation
  private let reporting = LifecycleScope("report")
  private var connection: LifecycleConnection?
  private var report: (any CountdownReport)?
  /// What was reported before the first line; nil after that.
  private var held: String? = ""

  package init(format: ReportFormat) {
    self.format = format
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
  ///   - words: What a person is told.
  ///   - seconds: The whole countdown.
  ///   - diagnose: Told what a user should know and no program reads.
  ///   - reportFirst: Called when the phase of the process is known, before that is reported.
  /// - Throws: What the source throws that cannot start.
  package func start(
    _ words: TextReport.Words,
    seconds: Int,
    diagnose: @escaping @Sendable (String) -> Void,
    reportFirst: (any CountdownReport) -> Void = { _ in }
  ) throws {
    let report = makeReport(words, seconds: seconds)
    self.report = report
    reportEvents { $0.phase > $0.previousPhase }
    bus.suppressedInputs.sink { report.suppressed($0) }.store(in: reporting)
    connection = try bus.connect(
      .processSignals(onOverrun: { @Sendable in diagnose($0.description) })
    )
    let text = held ?? ""
    held = nil
    reportFirst(report)
    if !text.isEmpty { output.write(text) }
  }

  package func update(_ update: CountdownDisplay.Update) {
    report?.update(update)
    guard update == .finished else { return }
    reporting.end()
    finish.finish()
  }

  /// Returns when the countdown is over. A signal ends the process earlier.
  ///
  /// - Throws: `DescriptorOutput.Failure`.
  package func untilFinished() async throws {
    do {
      for try await _ in end {}
    } catch {
      guard bus.phase == .terminated else { throw error }
      // The terminal has hung up, say. The signal is about to end the process.
      try await Task.sleep(for: .seconds(60))
      throw error
    }
  }

  package func stop() {
    connection?.cancel()
  }

  private func reportEvents(where isReported: @escaping (LifecycleEvent) -> Bool) {
    bus.addObserver(in: reporting) { [weak self] event in
      if isReported(event) { self?.report?.event(event) }
    }
  }

  private func makeReport(_ words: TextReport.Words, seconds: Int) -> any CountdownReport {
    let write: (String) -> Void = { [weak self] in self?.write($0) }
    return switch format {
    case .text:
      TextReport(words, total: seconds, terminal: Terminal(descriptor: 1), write: write)
    case .json: JSONReport(write: write)
    }
  }

  private func write(_ text: String) {
    if held == nil { output.write(text) } else { held?.append(text) }
  }
}
