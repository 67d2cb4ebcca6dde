import Foundation

/// A copy of this process, which has what the process has prepared.
enum ChildProcess {
  private typealias Fork = @convention(c) () -> pid_t

  // Swift hides it, because what a process with threads may do in its child is little. This one has
  // no other thread before a scenario is performed.
  private static let fork = unsafeBitCast(
    dlsym(UnsafeMutableRawPointer(bitPattern: 0), "fork"),
    to: Fork.self
  )

  /// Starts a child. Returns zero in the child.
  static func start() -> pid_t { fork() }

  /// Waits for the end of a child. Returns false if it has failed.
  static func succeeds(_ child: pid_t) -> Bool {
    var status: CInt = 0
    return waitpid(child, &status, 0) == child && status == 0
  }
}
