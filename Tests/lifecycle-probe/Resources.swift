import ArgumentParser
import Foundation
import JobControl
import LifecycleSources
import ReactiveLifecycle
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
