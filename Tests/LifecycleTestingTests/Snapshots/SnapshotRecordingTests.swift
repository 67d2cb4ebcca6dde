import CustomDump
import Testing

@testable import LifecycleTesting

@Suite("When snapshots are recorded")
struct SnapshotRecordingTests {
  private typealias Rules = SnapshotRecordingRules

  @Test("Every mode, finding and place")
  func everyModeFindingAndPlace() {
    var table: [String] = []
    for mode in SnapshotRecording.allCases {
      for finding in Rules.Finding.allCases {
        let verdicts = [false, true].map { Rules(mode: mode, isInCI: $0).verdict(on: finding) }
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

  @Test("The argument decides, else the environment, else nothing is recorded")
  func argumentThenEnvironmentDecides() throws {
    for mode in SnapshotRecording.allCases {
      for other in SnapshotRecording.allCases.map(\.rawValue) + ["", "sometimes"] {
        let rules = try Rules(mode, environment: ["LIFECYCLE_SNAPSHOTS": other])
        expectNoDifference(rules, Rules(mode: mode, isInCI: false))
      }
      let rules = try Rules(nil, environment: ["LIFECYCLE_SNAPSHOTS": mode.rawValue])
      expectNoDifference(rules, Rules(mode: mode, isInCI: false))
    }
    for environment in [[:], ["LIFECYCLE_SNAPSHOTS": ""]] {
      #expect(try Rules(nil, environment: environment) == Rules(mode: .never, isInCI: false))
    }
  }

  @Test("A mode that there is not", arguments: ["sometimes", "All", "all ", ".all", "1"])
  func unknownMode(_ text: String) {
    #expect(throws: Rules.UnknownMode(text: text)) {
      try Rules(nil, environment: ["LIFECYCLE_SNAPSHOTS": text])
    }
  }

  @Test("CI is set")
  func continuousIntegration() throws {
    for text in ["1", "true", "TRUE", "yes", "woodpecker", " "] {
      #expect(try Rules(.all, environment: ["CI": text]).isInCI, "\(text)")
    }
    for text in ["", "0", "false", "False"] {
      #expect(try !Rules(.all, environment: ["CI": text]).isInCI, "\(text)")
    }
  }
}
