import CustomDump
import ExpectationModels
import LifecycleCombine
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

  @Test("What is not named may change")
  func notNamed() {
    lifecycle.expect(model, after: .background(for: .seconds(90))) { $0.visits = 1 }
  }

  @Test("What is named may stay, if something else changes")
  func whatIsNamedMayStay() {
    lifecycle.expect(model, after: .resignActive) {
      $0.visits = 0
      $0.title = nil
      $0.screen.isShown = false
    }
  }

  @Test("The steps can be values")
  func storedSteps() {
    let steps: [LifecycleStep] = [.background(for: .seconds(1)), .background(for: .seconds(2))]
    lifecycle.expect(model, after: steps) { $0.visits = 2 }
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

  @Test("An optional is set, set to nil, and read")
  func optionalIsSetSetToNilAndRead() async {
    model.title = "Rental"
    let found = await complaints {
      lifecycle.expect(model, after: .memoryWarning) {
        expectNoDifference($0.title, "Rental")
        $0.title = nil
        expectNoDifference($0.title, nil)
      }
      lifecycle.expect(model, after: .background(for: .seconds(1))) {
        $0.title = nil
        $0.visits = 1
      }
    }
    expectNoDifference(found.count, 2)
    lifecycle.expect(model, after: .background(for: .seconds(1))) {
      $0.title = "Rental"
      $0.visits = 2
    }
  }

  @Test("A model with Published properties, and an observable one")
  func publishedAndObservableModels() {
    let published = PublishedModel(lifecycle.bus)
    let observable = ObservableModel(lifecycle.bus)
    lifecycle.expect(published, after: .resignActive) { $0.isActive = false }
    lifecycle.expect(observable, after: .becomeActive) { $0.isActive = true }
  }

  @Test("A model that is Equatable is compared by the named properties all the same")
  func equatableModel() {
    let model = EquatableModel(lifecycle.bus)
    lifecycle.expect(model, after: .resignActive) { $0.events = 1 }
    expectNoDifference(model.others, 1)
  }

  @Test("In a test that is not isolated")
  nonisolated func nonisolatedLifecycle() {
    let lifecycle = NonisolatedScriptedLifecycle()
    let counter = LockedCounter()
    let observer = lifecycle.bus.addObserver { _ in counter.increment() }
    lifecycle.expect(counter, after: .launch) { $0.count = 1 }
    observer.cancel()
  }
}
