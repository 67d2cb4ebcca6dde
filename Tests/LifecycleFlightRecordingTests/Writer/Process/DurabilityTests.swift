import CustomDump
import Foundation
import TestSupport
import Testing

@Suite("Recording files: waiting for the drive", .startsProcesses)
struct DurabilityTests {
  private let directory = TemporaryDirectory()

  @Test(
    "A recording that is written as a whole is on the drive before it has its name; a writer waits for nothing",
    .enabled(if: SystemCallTrace.isPossible, "needs strace")
  )
  func synchronization() throws {
    let probe = try builtProgramPath("lifecycle-probe")
    let (path, whole) = (directory.path("flight"), directory.path("whole"))
    let options = ["--count", "200", "--rotating-at", "5000", "--whole", whole]
    let calls = try SystemCallTrace.calls(
      ["fsync", "fdatasync", "rename"],
      of: [probe, "recording", path] + options
    )
    expectNoDifference(directory.names, ["flight", "flight.1", "flight.2", "flight.3", "whole"])
    let found = calls.filter { !$0.hasPrefix("rename") || $0.contains("whole") }.map { call in
      call.replacing(/\.new-\d+-1/, with: ".new").replacing(/\(\d+</, with: "(<")
        .replacing(/\s+= 0/, with: "")
    }
    expectNoDifference(
      found,
      [
        "fsync(<\(directory.path)/whole.new>)",
        #"rename("\#(directory.path)/whole.new", "\#(directory.path)/whole")"#,
        "fsync(<\(directory.path)>)",
      ]
    )
  }
}
