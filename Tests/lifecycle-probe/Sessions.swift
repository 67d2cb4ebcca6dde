import ArgumentParser
import Foundation
import JobControl

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
