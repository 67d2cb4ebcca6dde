import CustomDump
import Foundation
import ReactiveLifecycle
import Testing

@Suite("Phase conditions")
struct ConditionTests {
  private static let all = LifecyclePhase.allCases.flatMap { phase in
    [LifecyclePhase.Condition.atLeast(phase), .atMost(phase)]
  }

  @Test("Contain the phases on one side of a phase, and the phase")
  func containsPhasesOnOneSide() {
    expectNoDifference(
      LifecyclePhase.allCases.filter(LifecyclePhase.Condition.atLeast(.inactive).contains),
      [.inactive, .active]
    )
    expectNoDifference(
      LifecyclePhase.allCases.filter(LifecyclePhase.Condition.atMost(.background).contains),
      [.terminated, .unknown, .background]
    )
  }

  @Test("Are described in words")
  func conditionsAreDescribedInWords() {
    expectNoDifference("\(LifecyclePhase.Condition.atLeast(.active))", "at least active")
    expectNoDifference("\(LifecyclePhase.Condition.atMost(.background))", "at most background")
  }

  @Test("Are equal only to themselves, and survive coding", arguments: all)
  func conditionsSurviveCoding(_ condition: LifecyclePhase.Condition) throws {
    expectNoDifference(Self.all.count { $0 == condition }, 1)
    let data = try JSONEncoder().encode(condition)
    #expect(try JSONDecoder().decode(LifecyclePhase.Condition.self, from: data) == condition)
  }

  @Test("Are coded with names that a person can write")
  func codedForm() throws {
    let data = try JSONEncoder().encode(LifecyclePhase.Condition.atLeast(.active))
    expectNoDifference(String(decoding: data, as: UTF8.self), #"{"atLeast":"active"}"#)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(LifecyclePhase.Condition.self, from: Data("{}".utf8))
    }
  }
}
