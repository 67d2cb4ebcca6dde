import Dispatch
import Foundation
import LifecycleFlightRecording
import LifecycleSupport
import ProgramReporting

/// Prints the records of a recorder as they come.
final class RecordPrinter: Sendable {
  private struct State {
    var lines: RecordLines
    /// The number of the next record; nil before the first one.
    var next: Int?
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
      state.hasFailed ? "" : takeNext(&state, style)
    }
    do throws(DescriptorOutput.Failure) {
      try DescriptorOutput.write(text, to: STDOUT_FILENO)
    } catch {
      state.withLock { $0.hasFailed = true }
      onFailure(error)
    }
  }

  private func takeNext(_ state: inout State, _ style: OutputStyle) -> String {
    let (process, start) = recorder.head
    var first = state.next ?? start.dropped
    var text = state.next == nil ? head(process, start) : ""
    let (records, newStart) = recorder.records(from: first)
    var gap = ""
    if let newStart {
      // The ring was too short: the recording continues as another one.
      let count = newStart.dropped - first
      gap = count == 1 ? "1 record was missed.\n" : "\(count) records were missed.\n"
      text = head(process, newStart)
      state.lines.add(newStart.sources)
      first = newStart.dropped
    }
    state.next = first + records.count
    switch format {
    case .text: return gap + records.map { state.lines.line(for: $0, style) }.joined()
    case .json:
      let part = FlightRecording.Start(at: start.instant, dropped: first)
      let recording = FlightRecording(process: process, start: part, records: records)
      return text + String(decoding: recording.recordLines, as: UTF8.self)
    }
  }

  private func head(_ process: FlightRecording.Process, _ start: FlightRecording.Start) -> String {
    guard format == .json else { return "" }
    return String(decoding: FlightRecording(process: process, start: start).headLine, as: UTF8.self)
  }
}

/// The other end of standard output.
enum OutputReader {
  /// Ends the process by `SIGPIPE` when the last reader of a pipe or socket goes away.
  ///
  /// A write would end it as well, but a program that waits for events may write nothing for hours.
  ///
  /// - Parameter onFailure: Called on another thread if the process ignores `SIGPIPE`.
  static func endProcessWhenGone(
    orElse onFailure: @escaping @Sendable (DescriptorOutput.Failure) -> Void
  ) {
    var status = stat()
    guard fstat(STDOUT_FILENO, &status) == 0,
      [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT)
    else { return }
    Thread.detachNewThread {
      // Without events, the call returns for an error or a hang-up alone.
      var request = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
      while poll(&request, 1, -1) < 0, errno == EINTR {}
      raise(SIGPIPE)
      onFailure(DescriptorOutput.Failure(errno: EPIPE))
    }
  }
}
