import ArgumentParser
import Foundation
import JobControl
import LifecycleCore
import LifecycleProcess
import TestSupport

/// What this process holds of the system now.
private func currentResources() -> ProbeLine.Content {
  func entryCount(of directory: String) -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: directory).count) ?? -1
  }
  return .resources(
    descriptors: entryCount(of: "/proc/self/fd"),
    threads: entryCount(of: "/proc/self/task")
  )
}

/// Connects and disconnects the process's signals on four threads, then a hundred buses at the same
/// time, and prints what the process holds in between, and the dispositions before and after.
struct Reconnect: ParsableCommand {
  func run() throws {
    // What the system's libraries keep from their first use on is not growth.
    try reconnect(times: 20)
    emit(.dispositions(currentDispositions()))
    emit(currentResources())
    onOtherThreads(4) { _ in
      do { try reconnect(times: 250) } catch { emit(.note("\(error)")) }
    }
    emit(currentResources())
    let kept = try (0..<100).map { _ in
      let bus = NonisolatedLifecycleBus()
      return (bus, try bus.connect(.processSignals()))
    }
    emit(currentResources())
    for (_, connection) in kept { connection.cancel() }
    emit(.dispositions(currentDispositions()))
  }

  private func reconnect(times: Int) throws {
    let bus = NonisolatedLifecycleBus()
    for _ in 0..<times { try bus.connect(.processSignals()).cancel() }
  }
}

/// Starts a session of its own with one job, prints the shell and the job, and waits to be killed.
struct NestedSession: ParsableCommand {
  func run() throws {
    let session = try JobControlSession()
    let job = try session.launch(JobRequest(["sleep", "86400"]))
    print(session.shellProcessID)
    print(job.processID)
    fflush(nil)
    while true { session.idle(for: .seconds(3_600)) }
  }
}

/// Prints this process's descriptors and threads before and after it has had twenty sessions.
struct ClosedSessions: ParsableCommand {
  func run() throws {
    emit(currentResources())
    for _ in 0..<20 {
      let session = try JobControlSession()
      _ = try session.launch(JobRequest(["sleep", "86400"]))
      session.close()
    }
    emit(currentResources())
  }
}

/// Writes a file of more than its control group may have in memory, again and again, until it is killed.
///
/// On a fast disk, reading such a file stalls too little to be reported: 15 ms in a second were
/// measured, beside 500 ms for writing.
struct Thrash: ParsableCommand {
  @Argument(help: "The path of a file to create.")
  var path: String

  @Option(help: "The size of the file in MiB.")
  var size = 300

  func run() throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw ExitCode(2) }
    unlink(path)
    let block = [UInt8](repeating: 1, count: 1 << 20)
    while true {
      for number in 0..<size {
        let count = block.withUnsafeBytes {
          pwrite(descriptor, $0.baseAddress, $0.count, off_t(number * block.count))
        }
        guard count > 0 else { throw ExitCode(3) }
      }
    }
  }
}
