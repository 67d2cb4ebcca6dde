import CustomDump
import ExpectationModels
import LifecycleTesting
import ReactiveLifecycle
import Testing

@Suite("Expected changes of a model that do not happen")
@MainActor
struct ExpectChangesFailureTests {
  private let lifecycle = ScriptedLifecycle()
  private let model: RentalModel

  init() {
    model = RentalModel(lifecycle.bus)
    lifecycle.perform(.launch, .becomeActive)
  }

  @Test("All that differs is reported, at the caller's line")
  func everyDifferenceIsReported() async {
    var line = 0
    let found = await complaints {
      line = #line + 1
      lifecycle.expect(model, after: .background(for: .seconds(90))) {
        $0.remaining = .seconds(209)
        $0.visits = 1
        $0.title = "Rental"
      }
    }
    expectNoDifference(
      found,
      [
        Complaint(
          """
          Difference: …

              RentalModel(
            −   remaining: 209 s,
            +   remaining: 210 s,
            −   title: "Rental"
            +   title: nil
              )

          (Expected: −, Actual: +)
          """,
          line: line
        )
      ]
    )
  }

  @Test("Of values with several lines, those that differ are shown")
  func severalLines() async {
    let found = await complaints {
      lifecycle.expect(model, after: .resignActive) {
        $0.screen.rows = ["one"]
      }
    }
    expectNoDifference(
      found.map(\.message),
      [
        """
        Difference: …

            RentalModel(
              screen: RentalModel.Screen(
          −     isShown: true,
          +     isShown: false,
                rows: [
          −       [0]: "one"
                ]
              )
            )

        (Expected: −, Actual: +)
        """
      ]
    )
  }

  @Test("A subscript is named by its type and place, never by an address")
  func subscriptIsNamedByTypeAndPlace() async {
    let observable = ObservableModel(lifecycle.bus)
    let found = await complaints {
      lifecycle.expect(observable, after: .resignActive) {
        $0.isActive = false
        $0[dynamicMember: \.[3]] = 7
      }
    }
    expectNoDifference(
      found.map(\.message),
      [
        """
        Difference: …

          − ObservableModel(Int (property 2 of 2): 7)
          + ObservableModel(Int (property 2 of 2): 4)

        (Expected: −, Actual: +)
        """
      ]
    )
  }

  @Test("A property that was to stay as it was, and changed, is a difference")
  func changedAfterAll() async {
    let found = await complaints {
      lifecycle.expect(model, after: .background(for: .seconds(1))) { $0.visits = 0 }
    }
    expectNoDifference(
      found.map(\.message),
      [
        """
        Difference: …

          − RentalModel(visits: 0)
          + RentalModel(visits: 1)

        (Expected: −, Actual: +)
        """
      ]
    )
  }

  @Test("Of a property that is set twice, the last value is expected")
  func setTwice() async {
    let found = await complaints {
      lifecycle.expect(model, after: .background(for: .seconds(1))) {
        $0.visits = 5
        $0.visits -= 3
      }
    }
    expectNoDifference(
      found.map(\.message),
      [
        """
        Difference: …

          − RentalModel(visits: 2)
          + RentalModel(visits: 1)

        (Expected: −, Actual: +)
        """
      ]
    )
  }

  @Test("An expectation by which nothing changes fails")
  func nothingChanges() async {
    var lines: [Int] = []
    let found = await complaints {
      lines = [#line + 1, #line + 2]
      lifecycle.expect(model, after: .background(for: .seconds(1))) { _ in }
      lifecycle.expect(model, after: .memoryWarning) { $0.visits = 1 }
    }
    let advice = """
      To test that nothing changes, perform the steps and compare the properties with #expect.
      """
    let words = "The closure states no change: it sets"
    expectNoDifference(
      found,
      [
        Complaint("\(words) no property. \(advice)", line: lines[0]),
        Complaint(
          "\(words) only values that the properties already had. \(advice)",
          line: lines[1]
        ),
      ]
    )
  }

  @Test("If a step is impossible that alone is reported, once those before it have happened")
  func impossibleStep() async {
    var line = 0
    let found = await complaints {
      line = #line + 1
      lifecycle.expect(model, after: .background(for: .seconds(1)), .becomeActive) {
        $0.visits = 5
      }
    }
    expectNoDifference(found.map(\.line), [line])
    expectNoDifference(
      found.map { $0.message.hasPrefix("The step becomeActive is impossible:") },
      [true]
    )
    expectNoDifference(model.visits, 1)
  }

  @Test("What the closure throws is reported, and the steps happen anyway")
  func whatClosureThrowsIsReported() async {
    var line = 0
    let found = await complaints {
      line = #line + 1
      lifecycle.expect(model, after: .background(for: .seconds(1))) {
        $0.visits = 8
        throw RecordedFailure(code: 9)
      }
    }
    expectNoDifference(found, [Complaint("RecordedFailure(code: 9)", line: line)])
    expectNoDifference(model.visits, 1)
  }
}
