import Dispatch
import LifecycleCombine
import ReactiveLifecycle

/// A receiver of positions that plays a track by the clock. It is on for as long as it has a
/// subscriber; the track continues regardless.
@MainActor
final class TrackReceiver {
  /// Called once, when the track has ended, whether the receiver is on or off.
  var onEnd: () -> Void = {}

  private let clock: any LifecycleClock
  private let subject = PassthroughSubject<Track.Fix, Never>()
  private var machine: TrackMachine
  private var subscriptions = 0
  private var timer: LifecycleCancellable?
  private var hasEnded = false

  /// - Parameters:
  ///   - track: A track that has at least one fix.
  ///   - rate: The number of seconds of the track that pass in one second.
  ///   - clock: The clock by which the track is played; the process need not run all the time.
  init(_ track: Track, rate: Double, clock: any LifecycleClock) {
    machine = TrackMachine(track, rate: rate)
    self.clock = clock
  }

  /// The fixes while there is a subscriber, on the main actor, up to the end of the track. The
  /// track begins to play at the first subscription.
  var fixes: AnyPublisher<Track.Fix, Never> {
    subject.handleEvents(
      receiveSubscription: { [weak self] _ in onMain { self?.switchOn() } },
      receiveCancel: { [weak self] in onMain { self?.switchOff() } }
    )
    .eraseToAnyPublisher()
  }

  /// The fixes at an accuracy of kilometers, for which the receiver is not needed: a ride through a
  /// city has none.
  let coarseFixes = PassthroughSubject<Track.Fix, Never>()

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
    // A subscriber may switch the receiver off, so the machine is asked again after each fix.
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

/// Calls the body immediately on the main actor, and otherwise later.
private func onMain(_ body: @escaping @MainActor @Sendable () -> Void) {
  if MainQueue.isCurrent {
    MainActor.assumeIsolated(body)
  } else {
    DispatchQueue.main.async(execute: body)
  }
}
