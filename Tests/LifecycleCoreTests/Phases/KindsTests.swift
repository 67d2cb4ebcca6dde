import CustomDump
import Foundation
import LifecycleCore
import Testing

@Suite("Kinds and lists of kinds")
struct KindsTests {
  private typealias Kinds = LifecycleEvent.Kinds

  /// Names beyond those that have a bit.
  private static let custom = (1...100).map { LifecycleEvent.Kind(rawValue: "listed \($0)") }

  private static let lists: [Kinds] = [
    [], [.didEnterBackground], .transitions, .all, Kinds(custom), Kinds(custom + [.systemDidWake]),
    Kinds(custom.prefix(1)), Kinds(custom.suffix(1)),
  ]

  @Test("Each built-in kind has its own name, a constant, and a list of itself")
  func builtInKinds() throws {
    let root = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL
    let file = root.appending(path: "Sources/LifecycleCore/Phases/LifecycleEvent+Kind.swift")
    let source = try String(contentsOf: file, encoding: .utf8).split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
    for builtIn in LifecycleEvent.Kind.BuiltIn.allCases {
      let name = builtIn.stringValue
      expectNoDifference(LifecycleEvent.Kind(builtIn), LifecycleEvent.Kind(rawValue: name))
      expectNoDifference("\(Kinds([LifecycleEvent.Kind(builtIn)]))", "[\(name)]")
      let declarations = [
        "static let \(name) = Self(.\(name)) ", "static var \(name): Self { [.\(name)] }",
      ]
      expectNoDifference(declarations.filter { !source.contains($0) }, [])
    }
  }

  @Test("A list contains the listed kinds, and all contains custom ones, too")
  func containsWhatWasListed() {
    let kinds: Kinds = [.didEnterBackground, Self.custom[99]]
    #expect(kinds.contains(.didEnterBackground) && kinds.contains("listed 100"))
    #expect(!kinds.contains(.willTerminate) && !kinds.contains("listed 99"))
    #expect(!Kinds([]).contains(.didEnterBackground))
    #expect(Kinds.all.contains(.willTerminate) && Kinds.all.contains("listed nowhere"))
    expectNoDifference(Kinds.transitions, Kinds(PhaseOracle.transitions))
    #expect(!Kinds.transitions.contains(.systemDidWake))
  }

  @Test("Lists are equal whatever their order and repetitions")
  func orderAndRepetitionsDoNotMatter() {
    let kinds: Kinds = [.didEnterBackground, .willTerminate]
    let same: Kinds = [.willTerminate, .didEnterBackground, .willTerminate]
    expectNoDifference(kinds, same)
    expectNoDifference(kinds.hashValue, same.hashValue)
    expectNoDifference(Kinds(Self.custom), Kinds(Self.custom.reversed() + Self.custom))
    expectNoDifference(Set(Self.lists).count, Self.lists.count)
  }

  @Test("A union contains the kinds of both lists")
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

  @Test("A list is described with its built-in kinds in order, then the others by name")
  func textHasBuiltInKindsInOrder() {
    let kinds: Kinds = [Self.custom[1], Self.custom[98], .willTerminate, .didFinishLaunching]
    expectNoDifference("\(kinds)", "[didFinishLaunching, willTerminate, listed 2, listed 99]")
    expectNoDifference("\(Kinds([]))", "[]")
    expectNoDifference("\(Kinds.all)", "all")
    expectNoDifference(String(customDumping: kinds), "\(kinds)")
  }

  @Test("A condition contains a phase and all on one side of it, or the background")
  func conditions() {
    expectNoDifference(
      LifecyclePhase.allCases.filter(LifecyclePhase.Condition.atLeast(.inactive).contains),
      [.inactive, .active]
    )
    expectNoDifference(
      LifecyclePhase.allCases.filter(LifecyclePhase.Condition.atMost(.background).contains),
      [.terminated, .unknown, .background]
    )
    #expect(LifecyclePhase.Condition.atLeast(.active) != .atMost(.active))
    let named: [(LifecyclePhase.Condition, (LifecyclePhase) -> Bool, [LifecyclePhase])] = [
      (.background, \.isBackground, [.background]), (.active, \.isActive, [.active]),
      (.foreground, \.isForeground, [.inactive, .active]),
    ]
    for (condition, property, phases) in named {
      expectNoDifference(LifecyclePhase.allCases.filter(condition.contains), phases)
      expectNoDifference(LifecyclePhase.allCases.filter(property), phases)
    }
  }
}
