import Foundation
import Testing

@testable import BenchmarkSupport

@Suite("Row identifiers")
struct RowIDTests {
  @Test("Text and identifier convert both ways")
  func textAndIdentifier() {
    let id = RowID("lifecycle-bus", "token", .send, 100)

    #expect("\(id)" == "lifecycle-bus/token/send/100")
    #expect(RowID("lifecycle-bus/token/send/100") == id)
  }

  @Test(
    "Other text is no identifier",
    arguments: ["", "a/b/send", "a/b/unknown/1", "a/b/send/many", "a/b/send/1/2"]
  )
  func otherText(text: String) {
    #expect(RowID(text) == nil)
  }

  @Test("What swift-benchmark prints becomes a row")
  func output() throws {
    let json = """
      {"benchmarks": [{
        "name": "open-combine/passthrough-sink/send/10",
        "median": 5000.0, "iterations": 7.0, "operations": 50.0
      }]}
      """
    let row = try #require(
      try JSONDecoder().decode(BenchmarkOutput.self, from: Data(json.utf8)).benchmarks.first
    )

    #expect(row.name == RowID("open-combine", "passthrough-sink", .send, 10))
    #expect(row.cost == 100)
  }
}
