import Dispatch
import LifecycleSupport

/// Lets a writer write on its queue, when the recorder has something for it.
///
/// Called with the lock of the bus held, where a reference to the writer could become the last one:
/// the writer, and the recorder with it, would be released under that lock, which they need.
final class WriterWaker: Sendable {
  private weak let writer: FlightRecordingWriter?
  private let queue = DispatchQueue(label: "LifecycleFlightRecording.writer", qos: .utility)
  private let isScheduled = Locked(false)

  init(_ writer: FlightRecordingWriter) {
    self.writer = writer
  }

  /// Schedules writing on the queue, unless it is scheduled.
  ///
  /// Takes no lock that is held while a file is written.
  func wake() {
    guard !isScheduled.exchange(true) else { return }
    queue.async { [self] in
      isScheduled.exchange(false)
      writer?.write()
    }
  }
}
