import Foundation
import LifecycleTesting
import ReactiveLifecycle
import XCTest

/// The same failures in a test of XCTest.
final class XCTestSnapshotTests: XCTestCase {
  private struct Failure: Equatable {
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
    XCTAssertEqual(
      failures,
      [
        Failure(
          message: """
            The transcript differs from the expected one:

              \u{2007} launch
              +   [0 s background] didFinishLaunching

            (Expected: −, Actual: +)

            If the actual one is correct, expect it:

            \"""
            launch
              [0 s background] didFinishLaunching
            \"""
            """,
          file: #filePath,
          line: line
        )
      ]
    )
  }

  func testMissingFileAtTheCallersLine() {
    let line = #line + 2
    let failures = failures {
      expectLifecycle(LifecycleTranscript(), matches: .file("never recorded", record: .never))
    }
    XCTAssertEqual(failures.map(\.line), [line])
    XCTAssertEqual(failures.map(\.file), [#filePath])
    XCTAssert(
      failures[0].message.hasPrefix("There is no snapshot /")
        && failures[0].message.contains(
          """
          /Snapshots/__Snapshots__/XCTestSnapshotTests/testMissingFileAtTheCallersLine.never recorded.txt.
          """
        ),
      failures[0].message
    )
  }

  @MainActor
  func testImpossibleStepAtTheCallersLine() async {
    let lifecycle = ScriptedLifecycle()
    let line = #line + 2
    let failures = failures {
      lifecycle.perform(.becomeActive)
    }
    XCTAssertEqual(
      failures,
      [
        Failure(
          message: """
            The step becomeActive is impossible: the process has not been launched. Perform launch \
            first. The script ends here.
            """,
          file: #filePath,
          line: line
        )
      ]
    )
  }

  func testClassesWithOneFunctionNameShareNumbers() {
    let failures = failures {
      FirstVisit().visit()
      SecondVisit().visit()
    }
    let names = failures.map { failure in
      failure.message.split(separator: "\n")[0].split(separator: "/").last.map(String.init)
    }
    XCTAssertEqual(names, ["visit.txt.", "visit.first.txt.", "visit-2.txt.", "visit.second.txt."])
  }

  func testFailureOnAnotherThread() {
    let failures = failures {
      onAnotherThread { expectLifecycle(LifecycleTranscript(), matches: "launch") }
    }
    XCTAssertEqual(failures.count, 1)
  }
}

/// What takes snapshots in one class, and in another one, in functions of one name.
private struct FirstVisit {
  func visit() {
    expectLifecycle(LifecycleTranscript(), matches: .file(record: .never))
    expectLifecycle(LifecycleTranscript(), matches: .file("first", record: .never))
  }
}

private struct SecondVisit {
  func visit() {
    expectLifecycle(LifecycleTranscript(), matches: .file(record: .never))
    expectLifecycle(LifecycleTranscript(), matches: .file("second", record: .never))
  }
}
