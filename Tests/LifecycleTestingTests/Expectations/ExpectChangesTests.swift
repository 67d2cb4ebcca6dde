import CustomDump
import LifecycleCore
import LifecycleTesting
import Observation
import TestSupport
import Testing

@Suite("Expected changes of a model")
@MainActor
struct ExpectChangesTests {
  private let lifecycle = ScriptedLifecycle()
  private let model: RentalModel

  init() {
    model = RentalModel(lifecycle.bus)
    lifecycle.perform(.launch, .becomeActive)
  }

  @Test("Expected changes pass, also of computed and private(set) properties")
  func changesThatHappenPass() {
    lifecycle.expect(model, after: .background(for: .seconds(90))) {
      $0.remaining = .seconds(210)
      $0.remainingMinutes = 3
      $0.visits += 1
    }
    expectNoDifference(model.remaining, .seconds(210))
  }

  @Test("A property that is set to its present value passes if another one changes")
  func whatIsNamedMayStay() {
    lifecycle.expect(model, after: .resignActive) {
      $0.visits = 0
      $0.title = nil
      $0.screen.isShown = false
    }
  }

  @Test("The closure reads values from before the steps or its own, and does not change the model")
  func closureReadsWhatItHasSet() {
    lifecycle.expect(model, after: .background(for: .seconds(60)), .resignActive) {
      expectNoDifference($0.visits, 0)
      $0.visits += 1
      expectNoDifference($0.visits, 1)
      expectNoDifference($0.title, nil)
      $0.screen.isShown = false
      expectNoDifference($0.screen, RentalModel.Screen(isShown: false, rows: []))
      #expect(model.visits == 0 && model.screen.isShown)
    }
  }

  // MARK: Changes that do not happen

  @Test("All properties that differ are reported at the caller's line")
  func everyDifferenceIsReported() {
    expectReportedIssue(
      """
      Difference: …

        \u{2007} RentalModel(
        −   remaining: 209 s,
        +   remaining: 210 s,
        −   title: "Rental"
        +   title: nil
        \u{2007} )

      (Expected: −, Actual: +)
      """,
      line: #line + 2
    ) {
      lifecycle.expect(model, after: .background(for: .seconds(90))) {
        $0.remaining = .seconds(209)
        $0.visits = 1
        $0.title = "Rental"
      }
    }
  }

  @Test("A property of an @Observable model has its name only where one stored property fits alone")
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  func observablePropertiesAreNamed() {
    let observable = ObservableModel(lifecycle.bus)
    expectReportedIssue(
      """
      Difference: …

        \u{2007} ObservableModel(
        −   isActive: true,
        +   isActive: false,
        −   Int (property 2 of 7): 7,
        +   Int (property 2 of 7): 1,
        −   Int (property 3 of 7): 8,
        +   Int (property 3 of 7): 1,
        −   title: "b",
        +   title: "a",
        −   Int (property 5 of 7): 1,
        +   Int (property 5 of 7): 0,
        −   Bool (property 6 of 7): false,
        +   Bool (property 6 of 7): true,
        −   Int (property 7 of 7): 7
        +   Int (property 7 of 7): 4
        \u{2007} )

      (Expected: −, Actual: +)
      """
    ) {
      lifecycle.expect(observable, after: .resignActive) {
        $0.isActive = true
        // One would have the name of the other.
        $0.events = 7
        $0.total = 8
        // The property of a superclass.
        $0.title = "b"
        // Two are 0 before and after, and the others are computed.
        $0.first = 1
        $0.isOdd = false
        $0[dynamicMember: \.[3]] = 7
      }
    }
  }

  @Test("An expectation by which nothing changes fails")
  func nothingChanges() {
    let advice = """
      To test that nothing changes, perform the steps and compare the properties with #expect.
      """
    let words = "The closure states no change: it sets"
    expectReportedIssue("\(words) no property. \(advice)", line: #line + 1) {
      lifecycle.expect(model, after: .background(for: .seconds(1))) { _ in }
    }
    let same = "only values that the properties already had."
    expectReportedIssue("\(words) \(same) \(advice)", line: #line + 1) {
      lifecycle.expect(model, after: .memoryWarning) { $0.visits = 1 }
    }
  }

  @Test("An impossible step or an error of the closure is reported without a comparison")
  func errors() {
    expectReportedIssue("The step becomeActive is impossible:", line: #line + 1) {
      lifecycle.expect(model, after: .background(for: .seconds(1)), .becomeActive) { $0.visits = 5 }
    }
    expectReportedIssue("RecordedFailure(code: 8)", line: #line + 1) {
      lifecycle.expect(model, after: .background(for: .seconds(1))) { _ in
        throw RecordedFailure(code: 8)
      }
    }
    // The steps are performed in spite of an error of the closure.
    expectNoDifference(model.visits, 2)
  }
}

// MARK: - Models

@MainActor
final class RentalModel {
  struct Screen: Equatable {
    var isShown = true
    var rows: [String] = []
  }

  private(set) var remaining = Duration.seconds(300)
  private(set) var visits = 0
  var title: String?
  private(set) var screen = Screen()
  var remainingMinutes: Int { Int(remaining.components.seconds) / 60 }

  init(_ bus: LifecycleBus) {
    bus.addObserver(self, for: [.willEnterForeground]) { model, event in
      guard let stay = event.backgroundStay else { return }
      model.remaining -= stay.timeAway
      model.visits += 1
    }
    bus.addObserver(self) { model, event in model.screen.isShown = event.phase == .active }
  }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@MainActor
@Observable
private class TitledModel {
  private(set) var title = "a"
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@MainActor
@Observable
private final class ObservableModel: TitledModel {
  private(set) var isActive = true
  private(set) var events = 0
  private(set) var first = 0
  private(set) var second = 0

  var isOdd: Bool { !events.isMultiple(of: 2) }
  var total: Int { events }

  subscript(number: Int) -> Int { events + number }

  init(_ bus: LifecycleBus) {
    super.init()
    bus.addObserver(self) { model, event in
      model.isActive = event.phase == .active
      model.events += 1
    }
  }
}
