import CustomDump
import ExpectationModels
import LifecycleTesting
import ReactiveLifecycle
import Testing

@Suite("Expected changes of a value")
@MainActor
struct ExpectValueTests {
  private let lifecycle = ScriptedLifecycle()
  private let model: RentalModel

  init() {
    model = RentalModel(lifecycle.bus)
    lifecycle.perform(.launch, .becomeActive)
  }

  @Test("Changes that happen pass")
  func changesThatHappenPass() {
    lifecycle.expect(model.screen, after: .resignActive) { screen in
      #expect(screen.isShown)
      #expect(!model.screen.isShown)
      screen.isShown = false
    }
    lifecycle.expect(model.visits, after: [.background(for: .seconds(1))]) { $0 += 1 }
  }

  @Test("The whole value is compared")
  func wholeValue() async {
    var line = 0
    let found = await complaints {
      line = #line + 1
      lifecycle.expect(model.screen, after: .resignActive) { $0.rows = [] }
    }
    expectNoDifference(
      found,
      [
        Complaint(
          """
          Difference: …

              RentalModel.Screen(
            −   isShown: true,
            +   isShown: false,
                rows: []
              )

          (Expected: −, Actual: +)
          """,
          line: line
        )
      ]
    )
  }

  @Test("An expectation by which nothing changes fails, as expectDifference says")
  func nothingChanges() async {
    var line = 0
    let found = await complaints {
      line = #line + 1
      lifecycle.expect(model.visits, after: .memoryWarning) { _ in }
    }
    expectNoDifference(
      found,
      [Complaint("No difference detected after applying changes.", line: line)]
    )
  }

  @Test("If a step is impossible that alone is reported")
  func impossibleStep() async {
    var line = 0
    let found = await complaints {
      line = #line + 1
      lifecycle.expect(model.visits, after: .becomeActive) { $0 = 5 }
    }
    expectNoDifference(found.map(\.line), [line])
    expectNoDifference(
      found.map { $0.message.hasPrefix("The step becomeActive is impossible:") },
      [true]
    )
  }

  @Test("What the closure throws is reported, after the steps")
  func whatClosureThrowsIsReported() async {
    var line = 0
    let found = await complaints {
      line = #line + 1
      lifecycle.expect(model.visits, after: .background(for: .seconds(1))) { _ in
        throw RecordedFailure(code: 9)
      }
    }
    expectNoDifference(found, [Complaint("RecordedFailure(code: 9)", line: line)])
    expectNoDifference(model.visits, 1)
  }

  @Test("What the value throws is reported, and no step happens")
  func throwingValue() async {
    func value() throws -> Int { throw RecordedFailure(code: 3) }
    let line = #line + 2
    func expectation() {
      lifecycle.expect(try value(), after: .background(for: .seconds(1))) { $0 = 1 }
    }
    let found = await complaints { expectation() }
    expectNoDifference(found, [Complaint("RecordedFailure(code: 3)", line: line)])
    expectNoDifference(model.visits, 0)
  }

  @Test("In a test that is not isolated")
  nonisolated func nonisolatedLifecycle() {
    let lifecycle = NonisolatedScriptedLifecycle()
    lifecycle.expect(lifecycle.bus.phase, after: .launch) { $0 = .background }
  }
}
