import LifecycleSupport
public import ReactiveLifecycle

/// A recording as a source, as `replay(_:speed:onEnd:)` makes it.
///
/// A recorded source that reported on the process as a whole, and the program itself, report in the
/// role in which this source is connected. Each other one is a part with its recorded role.
public struct FlightReplaySource: LifecycleSource {
  public let name: LifecycleSourceName
  private let recording: FlightRecording
  private let speed: Double
  private let onEnd: @Sendable () -> Void

  init(
    _ recording: FlightRecording,
    name: LifecycleSourceName,
    speed: Double,
    onEnd: @escaping @Sendable () -> Void
  ) {
    self.recording = recording
    self.name = name
    self.speed = speed
    self.onEnd = onEnd
  }

  /// Brings the bus to the phase at the start of the recording, and schedules the first record.
  ///
  /// - Throws: A ``FlightReplayError`` if the speed is not usable.
  public func start(_ feed: LifecycleFeed) throws -> @Sendable () -> Void {
    guard speed.isFinite, speed >= FlightReplayError.slowest else {
      throw FlightReplayError(speed: speed)
    }
    let run = ReplayRun(recording, speed: speed, to: feed, onEnd: onEnd)
    run.start()
    return { run.stop() }
  }
}

/// An error that indicates that a recording can't be replayed at the speed that was asked for.
public struct FlightReplayError: Error, Hashable, Sendable, CustomStringConvertible {
  static let slowest = 0.000_001

  /// The speed that was asked for.
  public var speed: Double

  public var description: String {
    """
    A recording can't be replayed at \(speed) times its speed. Pass a finite number of at least \
    \(Self.slowest); 1 is the speed at which it was recorded.
    """
  }
}

extension LifecycleSource where Self == FlightReplaySource {
  /// A recording, which is played back in real time.
  ///
  /// ```swift
  /// try bus.connect(.replay(recording, speed: 10)).store(in: scope)
  /// ```
  ///
  /// The clock of the bus times the records. Each input is sent at the instant at which it is due,
  /// so that a stay is as long as its replay. Time that the recorded device slept passes like any
  /// other. If the device sleeps during the replay, the records that became due follow at its
  /// wake-up.
  ///
  /// This source stays connected in place of the recorded sources that reported on the process as a
  /// whole. If one of them was disconnected, that is not replayed: its last report stands. The
  /// disconnection of any other source is replayed.
  ///
  /// In a test, `ScriptedLifecycle(replaying:)` replays a recording exactly.
  ///
  /// - Parameters:
  ///   - recording: The recording. If it starts in the middle of a life, the bus first moves to the
  ///     phase at its start. ``FlightRecording/joined(_:)`` makes one of the parts of a run.
  ///   - speed: The number of recorded seconds that pass in a second.
  ///   - name: The name under which the source reports.
  ///   - onEnd: Called after the last record, on the thread of the clock. The source stays
  ///     connected.
  public static func replay(
    _ recording: FlightRecording,
    speed: Double = 1,
    name: LifecycleSourceName = "replay",
    onEnd: @escaping @Sendable () -> Void = {}
  ) -> Self {
    Self(recording, name: name, speed: speed, onEnd: onEnd)
  }
}

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
  private let feed: LifecycleFeed
  private let beginning: ContinuousInstant
  private let onEnd: @Sendable () -> Void
  private let alarm: Alarm
  private let state = Locked(State())

  init(
    _ recording: FlightRecording,
    speed: Double,
    to feed: LifecycleFeed,
    onEnd: @escaping @Sendable () -> Void
  ) {
    let recording = recording.withoutEffectsOfDropped
    opening = recording.openingSteps
    // Time passes by itself.
    steps = recording.replaySteps.filter { $0.action != .pass }
    end = recording.end
    origin = recording.start.instant.continuous
    self.speed = speed
    self.feed = feed
    self.onEnd = onEnd
    beginning = feed.clock.continuous
    alarm = Alarm(feed.clock)
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
        alarm.set(for: due) { [weak self, clock = feed.clock] in
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
      (state.withLock { $0.feeds[source] } ?? feed).send(kind, metadata: metadata)
    case .pass: break
    }
  }

  private func connect(_ source: FlightSource) {
    let whole = source.whole.flatMap { id in state.withLock { $0.feeds[id] } } ?? feed
    let role = source.role == .participant(.application) ? feed.role : source.role
    let part = whole.part(as: role)
    state.discard { $0.feeds.updateValue(part, forKey: source.id) }
  }
}
