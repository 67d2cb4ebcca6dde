import CustomDump
import Testing

@testable import LifecycleTesting

@Suite("Names of snapshots")
struct SnapshotNameTests {
  @Test("From the function, a number or a name")
  func fileNameFromFunctionNumberOrName() throws {
    let visit = try SnapshotName(function: "visit()", name: nil)
    expectNoDifference((1...3).map(visit.file), ["visit.txt", "visit-2.txt", "visit-3.txt"])
    let named = try SnapshotName(function: "visit(seed:)", name: "away 90 s")
    expectNoDifference((1...2).map(named.file), ["visit.away 90 s.txt", "visit.away 90 s.txt"])
    let raw = try SnapshotName(function: "a visit/to (it)()", name: nil)
    expectNoDifference(raw.file(number: 1), "a-visit-to--it-.txt")
  }

  @Test("Whether the function has parameters")
  func whetherFunctionHasParameters() throws {
    for (function, hasParameters) in [
      ("visit()", false), ("visit(_:)", true), ("visit(seed:steps:)", true), ("init()", false),
      ("property", false),
    ] {
      #expect(try SnapshotName(function: function, name: nil).hasParameters == hasParameters)
    }
  }

  @Test(
    "Names that can't be",
    arguments: [
      ("", .isEmpty), (" \t", .isEmpty), (".", .isRelative), ("..", .isRelative),
      ("../a", .contains("/")), ("a/b", .contains("/")), ("a\\b", .contains("\\")),
      ("a\0b", .contains("\0")), ("a\nb", .contains("\n")), ("a:b", .contains(":")),
      ("a*", .contains("*")), ("?", .contains("?")), ("a\r\n", .contains("\r\n")),
      (String(repeating: "a", count: 246), .isTooLong(256)),
      (String(repeating: "é", count: 123), .isTooLong(256)),
    ] as [(String, SnapshotName.Problem)]
  )
  func impossibleNames(_ name: String, _ problem: SnapshotName.Problem) {
    #expect(throws: problem) { try SnapshotName(function: "visit()", name: name) }
  }

  @Test("Names that can be", arguments: ["1", "a b", "…", ".hidden", "a.b", "-", "..."])
  func goodNames(_ name: String) throws {
    #expect(try SnapshotName(function: "f()", name: name).file(number: 1) == "f.\(name).txt")
  }

  @Test("The longest name, and the longest function")
  func longestNameAndFunction() throws {
    let name = String(repeating: "a", count: 245)
    #expect(try SnapshotName(function: "visit()", name: name).file(number: 1).utf8.count == 255)
    // There is room for numbers.
    let function = String(repeating: "a", count: 243)
    #expect(try SnapshotName(function: function, name: nil).file(number: 1).utf8.count == 247)
    #expect(throws: SnapshotName.Problem.isTooLong(248)) {
      try SnapshotName(function: function + "a", name: nil)
    }
  }

  /// Every sequence of up to five calls, from three places, two functions and two tests that are known or
  /// not, against lists that are searched.
  @Test("Places are numbered in the order in which they are met")
  func placesAreNumberedAsTheyAreMet() {
    typealias Numbers = SnapshotNumbers
    struct Call {
      let place: UInt
      let function: String
      let id: String?
    }
    var calls: [Call] = []
    for place in 1...2 as ClosedRange<UInt> {
      for function in ["f", "g"] {
        for id in [nil, "1", "2"] as [String?] {
          calls.append(Call(place: place, function: function, id: id))
        }
      }
    }
    func visit(_ path: [Call], _ numbers: Numbers) {
      guard path.count < 4 else { return }
      for call in calls {
        var numbers = numbers
        let number = numbers.number(
          of: Numbers.Place(line: call.place, column: 1),
          in: Numbers.Test(filePath: "file", function: call.function),
          call.id
        )
        let before = path.filter { $0.function == call.function }
        let owner = before.lazy.compactMap(\.id).first
        let isOther = call.id != nil && owner != nil && call.id != owner
        // A refused call leaves nothing behind.
        let counted = before.filter { $0.id == nil || $0.id == owner }
        var places: [UInt] = []
        for place in counted.map(\.place) + [call.place] where !places.contains(place) {
          places.append(place)
        }
        let expected = isOther ? nil : places.firstIndex(of: call.place).map { $0 + 1 }
        if number != expected { Issue.record("\(path) \(call): \(number as Any)") }
        visit(path + [call], numbers)
      }
    }
    visit([], Numbers())
  }
}
