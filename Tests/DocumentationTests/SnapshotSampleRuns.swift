import Foundation
import Testing

/// They assert for themselves. That they do is shown by `LifecycleTestingTests`.
@Suite("Documentation samples of snapshots run")
@MainActor
struct SnapshotSampleRuns {
  @Test("An expectation in the test")
  func inlineExpectation() {
    inlineSnapshotSample()
  }

  @Test("An expectation in a file, which says what has happened")
  func expectationInFile() throws {
    fileSnapshotSample()
    #expect(try snapshot("fileSnapshotSample").contains("willEnterForeground (away 90 s)"))
  }

  @Test("Expectations of a parametrised test", arguments: [30, 90])
  func namedFile(seconds: Int) throws {
    namedFileSnapshotSample(seconds: seconds)
    let text = try snapshot("namedFileSnapshotSample.away \(seconds) s")
    #expect(text.contains("willEnterForeground (away \(seconds) s)"))
  }

  private func snapshot(_ name: String) throws -> String {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Samples/__Snapshots__/SnapshotSamples")
    return try String(contentsOf: folder.appending(path: "\(name).txt"), encoding: .utf8)
  }
}
