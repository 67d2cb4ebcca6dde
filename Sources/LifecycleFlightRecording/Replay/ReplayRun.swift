import LifecycleSupport
import ReactiveLifecycle

/// One replay in real time: the steps that are still to be made, and the timer of the next one.
///
/// One call at a time makes steps: `start`, and then the timer that the call before has set.
final class ReplayRun: Sendable {
  private struct State {
    /// The position of the next step.
    var next = 0
    var feeds: [Int: LifecycleFeed] = [:]
  }

  private let opening: [ReplayStep]
  private let steps: [ReplayStep]
  /// The instant of the last record.
  private let end: LifecycleInstant
  private let origin: ContinuousInstant
  private let speed: Double
  private let input: LifecycleFeed
  private let beginning: ContinuousInstant
  private let onEnd: @Sendable () -> Void
  private let alarm: Alarm
  private let state = Locked(State())

  init(
    _ recording: FlightRecording,
    speed: Double,
    to input: LifecycleFeed,
    onEnd: @escaping @Sendable () -> Void
  ) {
    let recording = recording.withoutEffectsOfDropped
    opening = recording.openingSteps
    // Time passes by itself.
    steps = recording.replaySteps.filter { $0.action != .pass }
    end = recording.end
    origin = recording.start.instant.continuous
    self.speed = speed
    self.input = input
    self.onEnd = onEnd
    beginning = input.clock.continuous
    alarm = Alarm(input.clock)
  }

  func start() {
    for step in opening { perform(step.action) }
    performSteps(dueAt: beginning)
  }

  func stop() {
    alarm.end()
  }

  /// Performs the steps that are due at an instant, and sets the timer for the next one, or for the
  /// end.
  private func performSteps(dueAt instant: ContinuousInstant) {
    while !alarm.hasEnded {
      let next = state.withLock { $0.next }
      guard next < steps.count else {
        // It may be set for the end already: for a step at that instant.
        alarm.cancel()
        alarm.set(for: due(end), onEnd)
        return
      }
      let due = due(steps[next].instant)
      guard due <= instant else {
        // The connection keeps the run.
        alarm.set(for: due) { [weak self, clock = input.clock] in
          self?.performSteps(dueAt: max(due, clock.continuous))
        }
        return
      }
      state.withLock { $0.next += 1 }
      perform(steps[next].action)
    }
  }

  private func due(_ instant: LifecycleInstant) -> ContinuousInstant {
    beginning + max(origin.duration(to: instant.continuous), .zero) / speed
  }

  private func perform(_ action: ReplayStep.Action) {
    switch action {
    case .connect(let source): connect(source)
    case .disconnect(let source): state.withLock { $0.feeds[source] }?.disconnect()
    case .send(let kind, let source, let metadata):
      (state.withLock { $0.feeds[source] } ?? input).send(kind, metadata: metadata)
    case .pass: break
    }
  }

  private func connect(_ source: FlightSource) {
    let whole = source.whole.flatMap { id in state.withLock { $0.feeds[id] } } ?? input
    let role = source.role == .participant(.application) ? input.role : source.role
    let feed = whole.part(as: role)
    state.discard { $0.feeds.updateValue(feed, forKey: source.id) }
  }
}
