import EventCounts
import Testing

@Suite("Saved counts")
struct ThresholdsTests {
  private let thresholds = Thresholds(
    toolchain: ["compiler": "6.3.1", "valgrind": "3.19"],
    scenarios: [
      "live-token": [.bytes: 208.0625],
      "event-1-closure": [.instructions: 5_160.9, .allocations: 0],
    ]
  )

  @Test("They read back as they were written")
  func roundTrip() throws {
    #expect(try Thresholds(json: thresholds.json()) == thresholds)
  }

  @Test("They are sorted, a count a line")
  func text() throws {
    let expected = """
      {
        "scenarios" : {
          "event-1-closure" : {
            "allocations" : 0,
            "instructions" : 5160.9
          },
          "live-token" : {
            "bytes" : 208.0625
          }
        },
        "toolchain" : {
          "compiler" : "6.3.1",
          "valgrind" : "3.19"
        }
      }

      """
    #expect(String(decoding: try thresholds.json(), as: UTF8.self) == expected)
  }

  @Test("Saving a scenario leaves the others alone")
  func replacing() {
    let replaced = thresholds.replacing([.liveToken: [.bytes: 160]])
    #expect(replaced.scenarios["live-token"] == [.bytes: 160])
    #expect(replaced.scenarios["event-1-closure"] == thresholds.scenarios["event-1-closure"])
  }

  @Test("Another toolchain is named, with both versions")
  func differences() {
    #expect(thresholds.differences(from: thresholds.toolchain).isEmpty)
    #expect(
      thresholds.differences(from: ["compiler": "6.4", "target": "arm"]) == [
        "compiler: saved with 6.3.1, now 6.4", "target: saved with none, now arm",
        "valgrind: saved with 3.19, now none",
      ]
    )
  }
}
