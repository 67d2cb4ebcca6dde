import ArgumentParser
import LifecycleFlightRecording
import ProgramReporting
import ReactiveLifecycle

/// The option with which a child of the tour records itself.
struct RecordingOption: ParsableArguments {
  // Another name than the tour's option has: the parser would give that to the tour.
  @Option(name: .customLong("child-recording")) var recording: String?

  /// Runs the body, whose buses are recorded.
  @MainActor
  func record(_ body: @MainActor () async throws -> Void) async throws {
    let handler = ProgramRun.CreationHandler { record($0) }
    try await ProgramRun.$creationHandler.withValue(handler, operation: body)
  }

  /// Records a bus until the process ends.
  @MainActor
  func record(_ bus: LifecycleBus) {
    guard let recording else { return }
    let recorder = FlightRecorder(of: bus)
    do throws(FlightFileError) {
      let writing = try recorder.write(to: recording, onFailure: { @Sendable in diagnose($0) })
      // Recorded also when a signal ends the process.
      _ = Unmanaged.passRetained(writing)
    } catch {
      diagnose(error)
    }
  }
}

private func diagnose(_ error: FlightFileError) {
  DescriptorOutput.diagnose("\(error)", program: nil)
}
