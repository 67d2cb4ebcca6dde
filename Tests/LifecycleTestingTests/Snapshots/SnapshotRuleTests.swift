import CustomDump
import Testing

@testable import LifecycleTesting

@Suite("When snapshots are recorded")
struct SnapshotRecordingTests {
  @Test("Each mode records, passes or fails a snapshot by this table")
  func everyModeFindingAndPlace() {
    var table: [String] = []
    for mode in SnapshotRecording.Mode.allCases {
      for finding in SnapshotRecording.Finding.allCases {
        let verdicts = [false, true].map {
          SnapshotRecording(mode: mode, isInCI: $0).verdict(on: finding)
        }
        table.append("\(mode) \(finding): \(verdicts[0]), in CI \(verdicts[1])")
      }
    }
    expectNoDifference(
      table,
      [
        "never missing: fails, in CI fails",
        "never different: fails, in CI fails",
        "never same: passes, in CI passes",
        "missing missing: isRecorded, in CI isNotRecordedInCI",
        "missing different: fails, in CI fails",
        "missing same: passes, in CI passes",
        "failed missing: isRecorded, in CI isNotRecordedInCI",
        "failed different: isRecorded, in CI isNotRecordedInCI",
        "failed same: passes, in CI passes",
        "all missing: isRecorded, in CI isNotRecordedInCI",
        "all different: isRecorded, in CI isNotRecordedInCI",
        "all same: isRecorded, in CI isNotRecordedInCI",
      ]
    )
  }

  @Test("LIFECYCLE_SNAPSHOTS selects the mode; the default is never")
  func environmentDecides() {
    func recording(_ environment: [String: String]) -> SnapshotRecording? {
      SnapshotRecording(environment)
    }
    for mode in SnapshotRecording.Mode.allCases {
      #expect(recording(["LIFECYCLE_SNAPSHOTS": mode.rawValue]) == .init(mode: mode, isInCI: false))
    }
    for environment in [[:], ["LIFECYCLE_SNAPSHOTS": ""]] {
      #expect(recording(environment) == .init(mode: .never, isInCI: false))
    }
    #expect(recording(["LIFECYCLE_SNAPSHOTS": "sometimes"]) == nil)
  }

  @Test("CI is recognized unless the variable is empty, 0 or false")
  func continuousIntegration() {
    for text in ["1", "true", "TRUE", "yes", "woodpecker", " "] {
      expectNoDifference(SnapshotRecording(["CI": text])?.isInCI, true)
    }
    for text in ["", "0", "false", "False"] {
      expectNoDifference(SnapshotRecording(["CI": text])?.isInCI, false)
    }
  }
}

@Suite("Texts of snapshots")
struct SnapshotTextTests {
  @Test("Whitespace at the ends of lines does not count, nor do empty lines around")
  func whitespaceAtEndsOfLinesDoesNotCount() {
    let text = SnapshotText("a\n\n  b")
    for equal in ["a\n\n  b\n", "\n\na\n \n  b\t \n\n", "a  \r\n\r\n  b\r\n"] {
      expectNoDifference(SnapshotText(equal), text, "\(equal.debugDescription)")
    }
    for other in ["a\n  b", "a\n\nb", " a\n\n  b", "a\n\n  b\nc", "", "a\n\n\n  b"] {
      #expect(SnapshotText(other) != text, "\(other.debugDescription)")
    }
    #expect(SnapshotText(" \n\t\n").isEmpty)
    expectNoDifference(SnapshotText("").text, "")
  }

  @Test("A difference has three unchanged lines around each change")
  func differenceHasThreeUnchangedLinesAroundEachChange() {
    var lines = (1...30).map { "line \($0)" }
    let expected = SnapshotText(lines.joined(separator: "\n"))
    lines[12] = "line thirteen"
    lines.remove(at: 13)
    lines.insert("new", at: 16)
    lines.append("last")
    let actual = SnapshotText(lines.joined(separator: "\n"))
    expectNoDifference(
      actual.difference(from: expected).replacing("\u{2007}", with: "_"),
      """
        _ … (9 unchanged)
        _ line 10
        _ line 11
        _ line 12
        − line 13
        + line thirteen
        − line 14
        _ line 15
        _ line 16
        _ line 17
        + new
        _ line 18
        _ line 19
        _ line 20
        _ … (7 unchanged)
        _ line 28
        _ line 29
        _ line 30
        + last

      (Expected: −, Actual: +)
      """
    )
  }

  @Test("A literal has as many number signs as its text needs")
  func numberSignsOfTheLiteral() {
    expectNoDifference(SnapshotText("a\n  b").literal, "\"\"\"\na\n  b\n\"\"\"")
    expectNoDifference(SnapshotText("").literal, "\"\"\"\n\"\"\"")
    expectNoDifference(SnapshotText(#"a\n"#).literal, "#\"\"\"\na\\n\n\"\"\"#")
    expectNoDifference(SnapshotText("a: \"\"\"").literal, "#\"\"\"\na: \"\"\"\n\"\"\"#")
    expectNoDifference(SnapshotText("a: \"\"\"#").literal, "##\"\"\"\na: \"\"\"#\n\"\"\"##")
  }

  /// The difference between texts must be readable for both: removed and unchanged lines are what
  /// was expected, inserted and unchanged ones what has happened.
  @Test("The difference of any two texts contains both")
  func everyPairOfTextsOfUpToFourLines() {
    let texts = (0...4).flatMap { count in
      (0..<Int(repeating: 3, power: count)).map { number in
        var rest = number
        return (0..<count).map { _ -> String in
          defer { rest /= 3 }
          return ["a", "", "  b"][rest % 3]
        }
      }
    }
    var seen: Set<[String]> = []
    let snapshots = texts.map { SnapshotText($0.joined(separator: "\n")) }
      .filter { seen.insert($0.lines).inserted }
    for expected in snapshots {
      for actual in snapshots where actual != expected {
        let lines = actual.difference(from: expected)
          .split(separator: "\n", omittingEmptySubsequences: false).dropLast(2)
          .map { $0.dropFirst(2) }
        func text(_ prefix: String) -> [String] {
          lines.filter { $0.hasPrefix(prefix) || $0.hasPrefix("\u{2007}") }
            .map { String($0.dropFirst(2)) }
        }
        // No line before the first one and after the last one is empty, unless there is none.
        expectNoDifference(SnapshotText(text("−").joined(separator: "\n")), expected)
        expectNoDifference(SnapshotText(text("+").joined(separator: "\n")), actual)
      }
    }
  }
}

extension Int {
  fileprivate init(repeating factor: Int, power: Int) {
    self = (0..<power).reduce(1) { product, _ in product * factor }
  }
}
