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
  public func start(_ input: LifecycleFeed) throws -> @Sendable () -> Void {
    guard speed.isFinite, speed >= FlightReplayError.slowest else {
      throw FlightReplayError(speed: speed)
    }
    let run = ReplayRun(recording, speed: speed, to: input, onEnd: onEnd)
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
