import ReactiveLifecycle

/// Calls a view model when it wants to be called, and sleeps otherwise. Armed only while the view
/// model wants a tick, which it does not in the background.
@MainActor
package final class RentalTimer {
  /// A timer that is later than this finds a process that was stopped, maybe by a signal that nobody
  /// sees. Whoever let it go on may have taken its terminal; the bus gets this long to say so.
  private static let grace = Duration.milliseconds(100)

  private let viewModel: RentalViewModel
  private let clock: any LifecycleClock
  private var sleeper: Task<Void, Never>?

  package init(_ viewModel: RentalViewModel, clock: any LifecycleClock) {
    self.viewModel = viewModel
    self.clock = clock
    viewModel.onNextTickChange = { [weak self] in self?.rearm() }
    rearm()
  }

  deinit {
    sleeper?.cancel()
  }

  private func rearm() {
    sleeper?.cancel()
    guard let nextTick = viewModel.nextTick else { return }
    sleeper = Task { [viewModel, clock] in
      while !Task.isCancelled, viewModel.nextTick == nextTick {
        let delay = nextTick - clock.now.continuous
        try? await Task.sleep(until: .now + delay, clock: .continuous)
        if clock.now.continuous - nextTick > Self.grace { try? await Task.sleep(for: Self.grace) }
        if !Task.isCancelled { viewModel.tick() }
      }
    }
  }
}
