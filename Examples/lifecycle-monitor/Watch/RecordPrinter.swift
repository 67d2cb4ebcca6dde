import Dispatch
import Foundation
import LifecycleFlightRecording
import LifecycleSupport
import ProgramReporting

/// Prints the records of a recorder as they come.
final class RecordPrinter: Sendable {
  private struct State {
    var lines: RecordLines
    var next = 0
    var hasFailed = false
  }

  private let recorder: FlightRecorder
  private let format: ReportFormat
  private let onFailure: @Sendable (DescriptorOutput.Failure) -> Void
  private let queue = DispatchQueue(label: "record-printer")
  private let state: Locked<State>

  init(
    _ recorder: FlightRecorder,
    _ format: ReportFormat,
    onFailure: @escaping @Sendable (DescriptorOutput.Failure) -> Void
  ) {
    self.recorder = recorder
    self.format = format
    self.onFailure = onFailure
    state = Locked(State(lines: RecordLines(recorder.head.start)))
  }

  /// Prints the records on another thread. May be called with locks held.
  func wake() {
    queue.async { self.printNext() }
  }

  /// Prints the records before it returns.
  func print() {
    queue.sync { printNext() }
  }

  private func printNext() {
    let style = OutputStyle.current
    let text = state.withLock { state in
      guard !state.hasFailed else { return "" }
      let (records, next, _) = recorder.records(from: state.next)
      state.next = next
      return records.map { state.lines.line(for: $0, style) }.joined()
    }
    do throws(DescriptorOutput.Failure) {
      try DescriptorOutput.write(text, to: STDOUT_FILENO)
    } catch {
      state.withLock { $0.hasFailed = true }
      onFailure(error)
    }
  }
}
