import Foundation
import JobControl

/// Whether the process is still there after a generous time in which one that was killed ends.
public func staysAlive(_ process: pid_t) -> Bool {
  let deadline = ContinuousClock.now + .seconds(20)
  while ContinuousClock.now < deadline {
    if !ProcessSnapshot.isAlive(process) { return false }
    usleep(1_000)
  }
  return true
}
