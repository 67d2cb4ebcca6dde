import Foundation
import LifecycleCore
import LifecycleTesting
import XCTest

/// The same failures in a test of XCTest.
final class XCTestSnapshotTests: XCTestCase {
  private struct Failure {
    let message: String
    let file: String
    let line: Int
  }

  /// Failures of the next lines are kept instead of reported.
  private var isCapturing = false
  private var captured: [Failure] = []

  #if _runtime(_ObjC)
    override func record(_ issue: XCTIssue) {
      guard isCapturing else { return super.record(issue) }
      let location = issue.sourceCodeContext.location
      keep(issue.compactDescription, location?.fileURL.path ?? "", location?.lineNumber ?? 0)
    }
  #else
    override func recordFailure(
      withDescription description: String,
      inFile filePath: String,
      atLine lineNumber: Int,
      expected: Bool
    ) {
      guard isCapturing else {
        return super.recordFailure(
          withDescription: description,
          inFile: filePath,
          atLine: lineNumber,
          expected: expected
        )
      }
      keep(description, filePath, lineNumber)
    }
  #endif

  private func keep(_ message: String, _ file: String, _ line: Int) {
    // IssueReporting adds a remark about applications that run tests, where it can't tell.
    let message = message.components(separatedBy: "\n\n━━┉┅").first ?? message
    let words = "failed - "
    captured.append(
      Failure(
        message: message.hasPrefix(words) ? String(message.dropFirst(words.count)) : message,
        file: file,
        line: line
      )
    )
  }

  private func failures(_ body: () -> Void) -> [Failure] {
    isCapturing = true
    body()
    isCapturing = false
    defer { captured = [] }
    return captured
  }

  @MainActor
  func testMismatchAtTheCallersLine() async {
    let lifecycle = ScriptedLifecycle()
    await lifecycle.perform(.launch)
    expectLifecycle(
      lifecycle,
      matches: """
        launch
          [0 s background] didFinishLaunching
        """
    )
    let line = #line + 2
    let failures = failures {
      expectLifecycle(lifecycle, matches: "launch")
    }
    XCTAssertEqual(failures.map(\.file), [#filePath])
    XCTAssertEqual(failures.map(\.line), [line])
    XCTAssertEqual(failures.first?.message.hasPrefix("The transcript differs from the"), true)
  }

  func testFailureOnAnotherThread() {
    let failures = failures {
      onAnotherThread { expectLifecycle(LifecycleTranscript(), matches: "launch") }
    }
    XCTAssertEqual(failures.count, 1)
  }
}
