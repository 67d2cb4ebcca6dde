import Foundation
import TestSupport

/// Waits until no process has a lock on the file.
func waitUntilUnlocked(_ path: String) throws {
  let file = open(path, O_RDONLY | O_CLOEXEC)
  guard file >= 0 else { throw UnixSocket.lastError() }
  defer { close(file) }
  while flock(file, LOCK_EX) != 0 {
    guard errno == EINTR else { throw UnixSocket.lastError() }
  }
  // A child that another thread has just forked would keep the lock until it runs its program.
  flock(file, LOCK_UN)
}
