import CustomDump
import Foundation
import ReactiveLifecycle
import Testing

@Suite("Lists of kinds")
struct KindsTests {
  private typealias Kinds = LifecycleEvent.Kinds

  /// Names beyond those that have a bit.
  private static let custom = (1...100).map { LifecycleEvent.Kind(rawValue: "listed \($0)") }

  private static let lists: [Kinds] = [
    [], [.didEnterBackground], .transitions, .all, Kinds(custom), Kinds(custom + [.systemDidWake]),
    Kinds(custom.prefix(1)), Kinds(custom.suffix(1)),
  ]

  @Test("It contains what was listed")
  func containsWhatWasListed() {
    let kinds: Kinds = [.didEnterBackground, Self.custom[99]]
    #expect(kinds.contains(.didEnterBackground))
    #expect(kinds.contains("listed 100"))
    #expect(!kinds.contains(.willTerminate))
    #expect(!kinds.contains("listed 99"))
    #expect(!Kinds([]).contains(.didEnterBackground))
  }

  @Test("All contains whatever a program adds")
  func allContainsWhateverProgramAdds() {
    #expect(Kinds.all.contains(.willTerminate))
    for kind in Self.custom { #expect(Kinds.all.contains(kind)) }
    #expect(Kinds.all.contains("a kind that is listed nowhere"))
  }

  @Test("The transitions are the kinds that change the phase")
  func transitionsAreKindsThatChangePhase() {
    expectNoDifference(Kinds.transitions, Kinds(PhaseOracle.transitions))
    #expect(PhaseOracle.transitions.allSatisfy(Kinds.transitions.contains))
    #expect(!Kinds.transitions.contains(.systemDidWake))
    #expect(!Kinds.transitions.contains(Self.custom[99]))
  }

  @Test("Order and repetitions do not matter")
  func orderAndRepetitionsDoNotMatter() {
    let kinds: Kinds = [.didEnterBackground, .willTerminate]
    let same: Kinds = [.willTerminate, .didEnterBackground, .willTerminate]
    expectNoDifference(kinds, same)
    expectNoDifference(kinds.hashValue, same.hashValue)
    expectNoDifference(Kinds(Self.custom), Kinds(Self.custom.reversed() + Self.custom))
    expectNoDifference(Set(Self.lists).count, Self.lists.count)
  }

  @Test("A union contains what either contains")
  func unionContainsWhatEitherContains() {
    let kinds = Self.custom + PhaseOracle.transitions + [.systemDidWake]
    for one in Self.lists {
      for other in Self.lists {
        let union = one.union(other)
        for kind in kinds {
          expectNoDifference(union.contains(kind), one.contains(kind) || other.contains(kind))
        }
        expectNoDifference(union, other.union(one))
      }
      expectNoDifference(one.union([]), one)
      expectNoDifference(one.union(.all), .all)
    }
  }

  @Test("The text: built-in kinds in their order, then the others by name")
  func textHasBuiltInKindsInOrder() {
    let kinds: Kinds = [Self.custom[1], Self.custom[98], .willTerminate, .didFinishLaunching]
    expectNoDifference("\(kinds)", "[didFinishLaunching, willTerminate, listed 2, listed 99]")
    expectNoDifference("\(Kinds([]))", "[]")
    expectNoDifference("\(Kinds.all)", "all")
    expectNoDifference(String(customDumping: kinds), "\(kinds)")
  }

  @Test("A list of names as JSON", arguments: lists)
  func jsonIsListOfNames(_ kinds: LifecycleEvent.Kinds) throws {
    let data = try JSONEncoder().encode(kinds)
    expectNoDifference(try JSONDecoder().decode(LifecycleEvent.Kinds.self, from: data), kinds)
  }

  @Test("The JSON that others can write")
  func jsonText() throws {
    func text(_ kinds: Kinds) throws -> String {
      String(decoding: try JSONEncoder().encode(kinds), as: UTF8.self)
    }
    expectNoDifference(
      try text([.willTerminate, .didEnterBackground]),
      #"["didEnterBackground","willTerminate"]"#
    )
    #expect(try text([]) == "[]")
    #expect(try text(.all) == #""all""#)
    // A kind of that name is not all.
    #expect(try text(["all"]) == #"["all"]"#)
  }

  @Test(
    "A text that is no list is refused, and named",
    arguments: [#""none""#, "1", #"{"a":"b"}"#]
  )
  func badJSON(_ text: String) throws {
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(LifecycleEvent.Kinds.self, from: Data(text.utf8))
    }
    guard text == #""none""# else { return }
    #expect("\(try #require(error))".contains(#"found "none""#))
    expectNoDifference(error?.isDataCorrupted, true)
  }
}
