import LifecycleCountdowns
package import ProgramReporting
package import ReactiveLifecycle

/// The five-minute rental timer, as the model of a screen that appears and disappears.
@MainActor
package final class RentalViewModel {
  /// The closure that is called with every update of the screen.
  package var onUpdate: (CountdownDisplay.Update) -> Void {
    get { display.onUpdate }
    set { display.onUpdate = newValue }
  }

  private let rental: Countdown
  private let display: CountdownDisplay

  /// Creates a rental that begins now.
  package init(seconds: Int, bus: LifecycleBus) {
    rental = Countdown(.seconds(seconds), of: bus)
    display = CountdownDisplay(of: rental, on: bus, name: "rental")
    rental.start()
  }

  package var remainingSeconds: Int { rental.state.seconds }

  /// A Boolean value that indicates whether the screen has shown the end.
  package var isFinished: Bool { display.isFinished }

  package func appear() { display.appear() }

  package func disappear() { display.disappear() }
}
