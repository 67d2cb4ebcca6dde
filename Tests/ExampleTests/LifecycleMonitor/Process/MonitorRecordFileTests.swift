import CustomDump
import Foundation
import JobControl
import LifecycleFlightRecording
import TestSupport
import Testing

@Suite("Monitor: record to a file", .serialized, .startsProcesses)
struct MonitorRecordFileTests {
  @Test("A file that another recorder writes is not replaced; the command runs")
  func fileInUse() async throws {
    try await withMonitorSession { monitor in
      let file = monitor.path("life")
      let job = try monitor.launch(
        ["record", file, "--", "sh", "-c", "echo ready; exec sleep 86400"]
      )
      try job.nextLine("ready") { $0 == "ready" }
      try monitor.waitForStory { $0.last == "didBecomeActive" }
      let before = try Data(contentsOf: URL(filePath: file))
      let result = try monitor.run(["record", "--force", file, "--", "echo", "hello"])
      expectNoDifference(result.status, .exited(0))
      #expect(result.lines.count == 2 && result.lines.contains("hello"), "\(result.lines)")
      #expect(result.lines.contains { $0.contains("another recorder writes it") })
      #expect(try Data(contentsOf: URL(filePath: file)).starts(with: before))
      #expect(try monitor.recordings("life").count == 1)
      try monitor.session.signalGroup(SIGKILL, job)
      #expect(try job.waitUntilEnd() == .signaled(SIGKILL))
    }
  }

  @Test("A command that was started is recorded to its end, even if the system can't be observed")
  func fewDescriptors() async throws {
    try await withMonitorSession { monitor in
      let program = try builtProgramPath("lifecycle-monitor")
      let script = #"ulimit -n "$0" && exec "$@""#
      var unobserved = 0
      var hasRecorded = false
      for limit in 5...24 {
        let file = monitor.path("\(limit)")
        let job = try monitor.session.launch(
          JobRequest(
            ["sh", "-c", script, "\(limit)", program, "record", file, "--"]
              + ["sh", "-c", "echo hello; exit 7"]
          )
        )
        let status = try job.waitUntilEnd()
        let hasRun = try job.waitUntilOutputEnds().contains("hello")
        if hasRun { expectNoDifference(status, .exited(7), "\(limit)") }
        guard hasRun, let story = try? FlightFile(contentsOf: file).recordings.first?.story else {
          #expect(!hasRecorded, "\(limit) descriptors are too few, but fewer were enough")
          continue
        }
        hasRecorded = true
        #expect(story.contains("exited with 7"), "\(limit)")
        if story.contains(where: { $0.hasPrefix("cannot observe the system: ") }) {
          unobserved += 1
        }
      }
      #expect(unobserved > 0)
    }
  }
}
