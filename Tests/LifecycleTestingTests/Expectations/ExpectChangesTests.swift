import CustomDump
import LifecycleSupport
import LifecycleTesting
import Observation
import ReactiveLifecycle
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

  @Test("Changes that happen pass, those of what is computed or private(set) too")
  func changesThatHappenPass() {
    lifecycle.expect(model, after: .background(for: .seconds(90))) {
      $0.remaining = .seconds(210)
      $0.remainingMinutes = 3
      $0.visits += 1
    }
    expectNoDifference(model.remaining, .seconds(210))
  }

  @Test("What is named may stay, if something else changes")
  func whatIsNamedMayStay() {
    lifecycle.expect(model, after: .resignActive) {
      $0.visits = 0
      $0.title = nil
      $0.screen.isShown = false
    }
  }

  @Test("The closure reads what it has set, or else what was before the steps; it writes nothing")
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

  @Test("A property of an @Observable model has its name where one stored property fits alone")
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  func observablePropertiesAreNamed() async {
    let observable = ObservableModel(lifecycle.bus)
    let found = await complaints {
      lifecycle.expect(observable, after: .resignActive) {
        $0.isActive = true
        $0.events = 7
        // The property of a superclass.
        $0.title = "b"
        // Two are 0 before and after, and the others are computed.
        $0.first = 1
        $0.isOdd = false
        $0[dynamicMember: \.[3]] = 7
      }
    }
    expectNoDifference(
      found.map(\.message),
      [
        """
        Difference: …

            ObservableModel(
          −   isActive: true,
          +   isActive: false,
          −   events: 7,
          +   events: 1,
          −   title: "b",
          +   title: "a",
          −   Int (property 4 of 6): 1,
          +   Int (property 4 of 6): 0,
          −   Bool (property 5 of 6): false,
          +   Bool (property 5 of 6): true,
          −   Int (property 6 of 6): 7
          +   Int (property 6 of 6): 4
            )

        (Expected: −, Actual: +)
        """
      ]
    )
  }

  @Test("Two properties that would have the same name have their type and number")
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  func sameName() async {
    let observable = ObservableModel(lifecycle.bus)
    let found = await complaints {
      lifecycle.expect(observable, after: .resignActive) {
        $0.events = 7
        $0.total = 8
      }
    }
    expectNoDifference(
      found.map(\.message),
      [
        """
        Difference: …

            ObservableModel(
          −   Int (property 1 of 2): 7,
          +   Int (property 1 of 2): 1,
          −   Int (property 2 of 2): 8
          +   Int (property 2 of 2): 1
            )

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

  @Test("An impossible step, and an error of the closure, are reported alone")
  func errors() async {
    let line = #line + 2
    let found = await complaints {
      lifecycle.expect(model, after: .background(for: .seconds(1)), .becomeActive) { $0.visits = 5 }
      lifecycle.expect(model, after: .background(for: .seconds(1))) { _ in
        throw RecordedFailure(code: 8)
      }
    }
    let isImpossible = "The step becomeActive is impossible:"
    expectNoDifference(
      found.map { $0.message.hasPrefix(isImpossible) ? isImpossible : $0.message },
      [isImpossible, "RecordedFailure(code: 8)"]
    )
    expectNoDifference(found.map(\.line), [line, line + 1])
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

private final class LockedCounter: Sendable {
  private let value = Locked(0)

  var count: Int { value.withLock { $0 } }

  func increment() { value.withLock { $0 += 1 } }
}
