import OpenCombineShim
import ReactiveLifecycle

/// The five-minute rental timer, as the model of a screen that comes and goes.
@MainActor
package final class RentalViewModel {
  /// What the screen shows.
  package enum Update: Hashable, Sendable {
    /// The remaining time, rounded up: 0 comes only at the end.
    case tick(remainingSeconds: Int)
    /// The process is back in the foreground.
    case returned(BackgroundStay)
    /// The rental is over. Reported once, after the tick 0.
    case finished
  }

  /// Called with everything that the screen shows.
  package var onUpdate: (Update) -> Void = { _ in }
  package private(set) var isFinished = false

  private let bus: LifecycleBus
  private let rental: Countdown
  private var scope: LifecycleScope?

  /// A rental that begins now.
  package init(seconds: Int, bus: LifecycleBus) {
    self.bus = bus
    rental = Countdown(.seconds(seconds), on: bus)
    rental.start()
  }

  package var remainingSeconds: Int { rental.state.seconds }

  package func appear() {
    let scope = LifecycleScope("rental")
    self.scope = scope
    bus.addObserver(in: scope) { [weak self] _, stay in
      self?.onUpdate(.returned(stay))
    }
    // Nobody looks at it in the background.
    rental.states.gate(atLeast: .inactive, on: bus, holding: .none)
      .sink { [weak self] state in self?.show(state) }
      .store(in: scope)
  }

  package func disappear() {
    scope?.end()
    scope = nil
  }

  private func show(_ state: Countdown.State) {
    guard !isFinished else { return }
    onUpdate(.tick(remainingSeconds: state.seconds))
    guard state.status == .finished else { return }
    isFinished = true
    onUpdate(.finished)
  }
}

extension Countdown.State {
  /// What remains, in seconds, rounded up.
  package var seconds: Int { Int((remaining / .seconds(1)).rounded(.up)) }
}
