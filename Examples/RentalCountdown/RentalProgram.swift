import LifecycleSources
import OpenCombineShim
import ReactiveLifecycle

/// A countdown that runs as a process: the view model, and a bus that is fed by the process' signals.
@MainActor
package struct RentalProgram {
  /// How it reports.
  package enum Format: String, CaseIterable, Sendable {
    case text, json
  }

  private let seconds: Int
  private let format: Format
  private let diagnose: @Sendable (String) -> Void

  /// - Parameters:
  ///   - seconds: How long the rental lasts.
  ///   - format: How it is reported on standard output.
  ///   - diagnose: Told what a user should know and no program reads.
  package init(seconds: Int, format: Format, diagnose: @escaping @Sendable (String) -> Void) {
    self.seconds = seconds
    self.format = format
    self.diagnose = diagnose
  }

  /// Runs until the rental is over. A signal ends the process earlier.
  ///
  /// - Throws: `DescriptorOutput.Failure`, or what the source throws that cannot start.
  package func run() async throws {
    let (end, finish) = AsyncThrowingStream.makeStream(of: Never.self)
    let output = DescriptorOutput(descriptor: 1) { finish.finish(throwing: $0) }
    let report = makeReport { output.write($0) }

    let bus = LifecycleBus()
    let reporting = LifecycleScope("report")
    bus.addObserver(in: reporting) { event in report.event(event) }
    bus.suppressedInputs.sink { report.suppressed($0) }.store(in: reporting)

    let viewModel = RentalViewModel(seconds: seconds, bus: bus)
    viewModel.onUpdate = { update in
      report.update(update)
      guard update == .finished else { return }
      reporting.end()
      finish.finish()
    }
    let connection = try bus.connect(
      .processSignals(onOverrun: { @Sendable [diagnose] in diagnose($0.description) })
    )
    viewModel.appear()

    do {
      for try await _ in end {}
    } catch {
      guard bus.phase == .terminated else { throw error }
      // The terminal has hung up, say. The signal is about to end the process.
      try await Task.sleep(for: .seconds(60))
      throw error
    }
    viewModel.disappear()
    connection.cancel()
  }

  private func makeReport(_ write: @escaping (String) -> Void) -> any RentalReport {
    switch format {
    case .text: TextReport(total: seconds, terminal: Terminal(descriptor: 1), write: write)
    case .json: JSONReport(write: write)
    }
  }
}
