import ArgumentParser
import Foundation
import LifecycleFlightRecording
import LifecycleProcess
import LifecycleSystem
import LifecycleTerminal
import ProgramReporting
import ReactiveLifecycle

/// Shows what happens to this process.
struct WatchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Shows live what happens to this process.",
    discussion: """
      Connected are all sources that the machine has: signals and job control, sleep and clock \
      changes, pauses, memory pressure, and in a terminal its focus. Press z or Ctrl-Z, wait, and \
      type fg; or lock the screen, close the lid, pause the container. Press q or Ctrl-C to quit.

      With --format json, the output is a recording, which the other commands read.

      EXAMPLES
        lifecycle-monitor watch
        lifecycle-monitor watch --format json > life.jsonl
        lifecycle-monitor watch | grep --line-buffered Foreground
      """
  )

  @Option(
    parsing: .unconditional,
    help: "The output format: text for people, or json for a recording."
  )
  var format = ReportFormat.text

  @MainActor
  func run() async throws {
    try await reportingFailures {
      let bus = NonisolatedLifecycleBus()
      let scope = LifecycleScope("watch")
      let recorder = FlightRecorder(of: bus)
      let (failures, failure) = AsyncThrowingStream.makeStream(of: Never.self)
      let printer = RecordPrinter(recorder, format) { failure.finish(throwing: $0) }
      // First, so that it is notified last on the way down: the process stops after that.
      bus.addObserver(in: scope) { _ in printer.print() }
      try bus.connect(.processSignals(onOverrun: { diagnose($0.description) }))
        .store(in: scope)
      for entry in try bus.connectSystem(in: scope).entries {
        if case .unavailable = entry.availability {
          recorder.note("\(entry.source): \(entry.availability)")
        }
      }
      recorder.setWake({ printer.wake() }, of: ObjectIdentifier(printer))
      printer.print()
      OutputReader.endProcessWhenGone { failure.finish(throwing: $0) }
      defer { printer.print() }
      guard let session = try terminalSession() else {
        for try await _ in failures {}
        return
      }
      defer { session.close() }
      try bus.connect(session.focus, as: .ceiling, in: scope)
      let keys = Task {
        for await bytes in session.input {
          if bytes.contains(UInt8(ascii: "q")) { break }
          if bytes.contains(UInt8(ascii: "z")) { session.suspend() }
        }
        failure.finish()
      }
      defer { keys.cancel() }
      for try await _ in failures {}
    }
  }

  /// The session that reads keys and the focus; nil if people do not use this terminal alone.
  private func terminalSession() throws -> TerminalSession? {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { return nil }
    do {
      return try TerminalSession()
    } catch is TerminalSession.StartError {
      return nil
    }
  }
}

private func diagnose(_ message: String) {
  DescriptorOutput.diagnose(message, program: "lifecycle-monitor")
}
