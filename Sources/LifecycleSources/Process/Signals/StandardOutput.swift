import CLifecycleShims
import Dispatch

/// The buffer of the process's standard output, which `print` shares with the C library.
enum StandardOutput {
  /// The time for which the buffer may delay the end of the process, in slices.
  private static let time = 5

  /// Writes out the buffer, unless that takes too long.
  ///
  /// Another thread may hold the stream's lock, and the reader of a full pipe may never read it.
  /// Other streams are left alone: a thread that waits for a line of standard input holds the lock
  /// of that stream meanwhile.
  static func flush() {
    DispatchQueue(label: "lifecycle.process-signals.output").perform(within: time) {
      lifecycle_flush_output()
    }
  }
}
