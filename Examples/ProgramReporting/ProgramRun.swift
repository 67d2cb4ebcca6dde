import LifecycleCombine
import LifecycleProcess
package import ReactiveLifecycle

/// A run of a program: a bus that receives the process's signals, and a report on standard output.
@MainActor
package final class ProgramRun {
  /// A closure that is called with the bus of each run, before anything is connected.
  ///
  /// A structure, as an optimized program crashes in `TaskLocal.withValue` if the value is a
  /// function with parameters (Swift 6.3.1).
  package struct CreationHandler: Sendable {
    let onCreation: @MainActor @Sendable (LifecycleBus) -> Void

    package init(_ onCreation: @escaping @MainActor @Sendable (LifecycleBus) -> Void) {
      self.onCreation = onCreation
    }
  }

  /// The handler of the runs that the task creates, for example to record them.
  @TaskLocal package static var creationHandler: CreationHandler?

  package let bus = LifecycleBus()

  private let output: DescriptorOutput
  private let end: AsyncThrowingStream<Never, any Error>
  private let finish: AsyncThrowingStream<Never, any Error>.Continuation
  private let reporting = LifecycleScope("report")
  private var connection: LifecycleCancellable?
  private var report: (any LifecycleReport)?
  /// The text that was reported before the first line was written; nil after that.
  private var held: String? = ""
  private var hasReportedTheEnd = false

  package init() {
    Self.creationHandler?.onCreation(bus)
    let (end, finish) = AsyncThrowingStream.makeStream(of: Never.self)
    (self.end, self.finish) = (end, finish)
    output = DescriptorOutput(descriptor: 1) { finish.finish(throwing: $0) }
    // An observer that is added between this call and the one in `start` receives every event
    // before it is reported: events on the way up are delivered from the first observer to the
    // last, events on the way down in reverse.
    reportEvents { $0.phase < $0.previousPhase }
  }

  /// Connects the signals of the process, and reports what happens from then on.
  ///
  /// - Parameters:
  ///   - report: The report, which receives what happens to the process.
  ///   - diagnose: Called with messages for the user that no program reads.
  ///   - reportFirst: Called when the phase of the process is known, before the phase is reported.
  /// - Throws: The error of a source that cannot start.
  package func start(
    _ report: any LifecycleReport,
    diagnose: @escaping @Sendable (String) -> Void,
    reportFirst: () -> Void = {}
  ) throws {
    self.report = report
    reportEvents { $0.phase >= $0.previousPhase }
    bus.suppressedInputs.sink { report.suppressed($0) }.store(in: reporting)
    connection = try bus.connect(.processSignals(onOverrun: { diagnose($0.description) }))
    let text = held ?? ""
    held = nil
    reportFirst()
    if !text.isEmpty { output.write(text) }
  }

  /// Writes to standard output. Has no effect once the end of the process was reported.
  package func write(_ text: String) {
    guard !hasReportedTheEnd else { return }
    if held == nil { output.write(text) } else { held?.append(text) }
  }

  /// Ends the run: what happens to the process is no longer reported.
  package func conclude() {
    reporting.end()
    finish.finish()
  }

  /// Waits until the run has ended. A signal ends the process earlier.
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
    // If a signal is ending the process, it must not end in another way before that, for example
    // because the terminal has hung up, or because what it waited for was given up.
    await ProcessSignalSource.waitForEnd()
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

/// The report of a program on what happens to its process.
@MainActor
package protocol LifecycleReport: AnyObject {
  func event(_ event: LifecycleEvent)
  func suppressed(_ input: SuppressedInput)
}

/// The format of a report.
package enum ReportFormat: String, CaseIterable, Sendable {
  case text, json
}
