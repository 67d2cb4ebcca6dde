import CustomDump
import Foundation
import JobControl
import TestSupport
import Testing

/// A program in whose process tests run, with the environment that XCTest gives it.
@Suite("LifecycleBus.application of a program that hosts tests", .serialized, .startsProcesses)
struct HostedTests {
  static let variables = [
    "XCTestBundlePath=/", "XCTestConfigurationFilePath=/", "XCTestSessionIdentifier=1",
  ]

  /// The line of the test in `Hosted.swift` is that of its attribute. XCTest names its test, and gets a
  /// line in standard error beside it.
  @Test(
    "It is live at launch and in callbacks, and only the test that uses it fails",
    arguments: [
      ("swiftTesting", 1, #"✘ Test "A use" recorded an issue at Hosted.swift:"#),
      ("xcTest", 2, "error: HostedXCTests.testUse : failed"),
    ]
  )
  func hosted(framework: String, reports: Int, place: String) async throws {
    let (uses, output) = try await withProbeSession { session in
      let wrapper = ["env"] + Self.variables
      let job = try session.launchProbeCommand(["hosted", framework], wrapper: wrapper)
      #expect(try job.waitUntilEnd() == .exited(1))
      let lines = try job.waitUntilOutputEnds()
      return (lines, (lines + [session.terminal.outputText]).joined(separator: "\n"))
    }
    expectNoDifference(
      uses.filter { $0.hasSuffix(": live") || $0.hasSuffix(": unimplemented") },
      [
        "launch: live", "test: unimplemented", "replaced: live", "thread: live", "callback: live",
      ]
    )
    for (text, count) in [(place, 1), ("which is unimplemented in tests", reports)] {
      #expect(output.components(separatedBy: text).count == count + 1, "\(output)")
    }
    #expect(output.contains(framework == "xcTest" ? "with 1 failure" : "with 1 issue"))
  }
}
