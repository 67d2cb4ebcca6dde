import LifecycleCombine
import LifecycleCountdowns
import LifecycleJournaling
import Observation
import ReactiveLifecycle

/// A rental of five minutes, which continues after the process was killed.
@MainActor
@Observable
final class RentalModel {
  private(set) var state: Countdown.State
  private let countdown: Countdown
  private let journal: LifecycleJournal
  private let scope = LifecycleScope("rental")

  init(bus: LifecycleBus, journal: LifecycleJournal, notify: @escaping () -> Void) throws {
    let saved = try journal.value(Countdown.SavedState.self, forKey: "rental")
    let countdown =
      saved.map { Countdown(restoring: $0, of: bus) } ?? Countdown(.seconds(300), of: bus)
    self.countdown = countdown
    self.journal = journal
    state = countdown.state
    store()
    countdown.states.sink { [weak self] in self?.state = $0 }.store(in: scope)
    countdown.ends.sink { [weak self] _ in
      notify()
      self?.store()
    }
    .store(in: scope)
  }

  var text: String { "\(state.status), \(state.remaining.components.seconds) s left" }

  func start() {
    countdown.restart()
    store()
  }

  // The deadline doesn't change while the countdown runs, so ticks are not stored.
  private func store() { try? journal.set(countdown.savedState, forKey: "rental") }
}
