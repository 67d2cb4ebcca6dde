import Foundation
import Synchronization

/// Ends the process if something takes so long that a wake-up must have been lost.
final class Watchdog: Sendable {
  private struct Watched {
    var subject: String
    var start: ContinuousClock.Instant
    var details: @Sendable () -> String
  }

  private let watched = Mutex<Watched?>(nil)

  init(limit: Duration) {
    // A thread, as those of Dispatch and of Swift's tasks may be the ones that wait.
    Thread.detachNewThread { [self] in
      while true {
        sleep(1)
        watched.withLock { watched in
          guard let watched, watched.start.duration(to: .now) > limit else { return }
          writeToStandardError("\(watched.subject): not over after \(limit).\n")
          // The details may wait for the same wake-up; the signal then ends the process.
          alarm(10)
          writeToStandardError("\(watched.details())\n")
          _exit(1)
        }
      }
    }
  }

  /// Watches a subject from now on, and the one before no longer.
  func watch(_ subject: String, details: @escaping @Sendable () -> String) {
    let new = Watched(subject: subject, start: .now, details: details)
    let old = watched.withLock { watched in
      defer { watched = new }
      return watched
    }
    withExtendedLifetime(old) {}
  }
}
