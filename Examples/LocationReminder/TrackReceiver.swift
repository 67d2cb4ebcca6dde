import Dispatch
package import LifecycleCombine
package import ReactiveLifecycle

/// A receiver of positions that plays a track by the clock: it is on for as long as somebody is
/// subscribed, and the track goes on all the same.
@MainActor
package final class TrackReceiver {
  /// Called once, when the track has come to its end, on or off.
  package var onEnd: () -> Void = {}

  private let clock: any LifecycleClock
  private let subject = PassthroughSubject<Track.Fix, Never>()
  private var machine: TrackMachine
  private var subscriptions = 0
  private var timer: LifecycleCancellable?
  private var hasEnded = false

  /// - Parameters:
  ///   - track: Has a fix at least.
  ///   - rate: How many seconds of the track pass in one.
  ///   - clock: What it is played by; the process need not run all the time.
  package init(_ track: Track, rate: Double, clock: any LifecycleClock) {
    machine = TrackMachine(track, rate: rate)
    self.clock = clock
  }

  /// The fixes while somebody is subscribed, on the main actor, up to the end of the track. It begins
  /// to play at the first subscription.
  package var positions: AnyPublisher<Track.Fix, Never> {
    subject.handleEvents(
      receiveSubscription: { [weak self] _ in onMain { self?.switchOn() } },
      receiveCancel: { [weak self] in onMain { self?.switchOff() } }
    )
    .eraseToAnyPublisher()
  }

  private func switchOn() {
    subscriptions += 1
    machine.switchOn(at: clock.continuous)
    wait()
  }

  private func switchOff() {
    subscriptions -= 1
    guard subscriptions == 0 else { return }
    machine.switchOff()
    wait()
  }

  private func advance() {
    // Who hears of a fix may switch the receiver off, which has it take another look.
    while let fix = machine.nextFix(at: clock.continuous) { subject.send(fix) }
    wait()
  }

  private func wait() {
    timer = nil
    guard !hasEnded, let deadline = machine.deadline else { return }
    if machine.isOver(at: clock.continuous) {
      hasEnded = true
      subject.send(completion: .finished)
      onEnd()
    } else {
      timer = clock.schedule(at: deadline) { [weak self] in onMain { self?.advance() } }
    }
  }
}

/// At once if this is the main actor.
private func onMain(_ body: @escaping @MainActor @Sendable () -> Void) {
  if MainQueue.isCurrent {
    MainActor.assumeIsolated(body)
  } else {
    DispatchQueue.main.async(execute: body)
  }
}
