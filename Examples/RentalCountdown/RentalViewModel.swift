import ReactiveLifecycle

/// The five-minute rental timer, as the model of a screen that comes and goes.
///
/// The rental ends at a fixed instant, so that nothing has to be corrected after the background. In
/// the background no tick is wanted; on each return there is one at once, and what ended meanwhile
/// is reported then. The model has no timer: it says in ``nextTick`` when it wants to be called.
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
  /// Called when ``nextTick`` has changed.
  package var onNextTickChange: () -> Void = {}

  /// When ``tick()`` is to be called, on the continuous clock; nil while no timer is to be armed.
  package private(set) var nextTick: Duration? {
    didSet { if nextTick != oldValue { onNextTickChange() } }
  }
  package private(set) var isFinished = false

  private let bus: LifecycleBus
  private let clock: any LifecycleClock
  private let deadline: Duration
  private var scope: LifecycleScope?

  /// A rental that begins now.
  package init(seconds: Int, bus: LifecycleBus, clock: any LifecycleClock = .system) {
    self.bus = bus
    self.clock = clock
    deadline = clock.now.continuous + .seconds(seconds)
  }

  package var remainingSeconds: Int {
    let (seconds, attoseconds) = (deadline - clock.now.continuous).components
    return max(0, Int(seconds) + (attoseconds > 0 ? 1 : 0))
  }

  package func appear() {
    let scope = LifecycleScope("rental")
    self.scope = scope
    bus.addObserver(in: scope) { [weak self] _, stay in
      self?.onUpdate(.returned(stay))
    }
    bus.addObserver(for: [.didEnterBackground], in: scope) { [weak self] _ in
      self?.nextTick = nil
    }
    bus.addObserver(for: [.didBecomeActive], in: scope, catchUp: .currentPhase) { [weak self] _ in
      self?.resume()
    }
  }

  package func disappear() {
    scope?.end()
    scope = nil
    nextTick = nil
  }

  /// Reports the remaining time, if ``nextTick`` has come.
  package func tick() {
    guard let nextTick, nextTick <= clock.now.continuous else { return }
    report()
  }

  /// Without a visit to the background there is nothing to resume.
  private func resume() {
    guard nextTick == nil, !isFinished else { return }
    report()
  }

  private func report() {
    let remaining = remainingSeconds
    isFinished = remaining == 0
    nextTick = isFinished ? nil : deadline - .seconds(remaining - 1)
    onUpdate(.tick(remainingSeconds: remaining))
    if isFinished { onUpdate(.finished) }
  }
}
