import CustomDump
import ExpectationModels
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("Expected changes of an @Observable model that do not happen")
@MainActor
struct ObservablePropertyTests {
  @Test(
    "The properties of an @Observable model are named",
    .enabled(if: hasGetterSymbols, hasNoGetterSymbols)
  )
  func observablePropertiesAreNamed() {
    let lifecycle = ScriptedLifecycle()
    lifecycle.perform(.launch, .becomeActive)
    let observable = ObservableModel(lifecycle.bus)
    let found = reportedIssues {
      lifecycle.expect(observable, after: .resignActive) {
        $0.isActive = false
        $0.events = 7
        $0.names = ["a"]
      }
    }
    expectNoDifference(
      found.map { $0.message.replacing("\u{2007}", with: " ") },
      [
        """
        Difference: …

            ObservableModel(
          −   events: 7,
          +   events: 1,
              names: [
          −     [0]: "a"
              ]
            )

        (Expected: −, Actual: +)
        """
      ]
    )
  }
}
