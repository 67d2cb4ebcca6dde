public import Foundation
import JobControl

/// Waits until the process has ended. Returns true if it does not end in a time that is more than enough
/// on any machine.
public func staysAlive(_ process: pid_t) -> Bool {
  !eventually { !ProcessSnapshot.isAlive(process) }
}
