package import LifecycleFlightRecording
import LifecycleTesting
import ReactiveLifecycle

extension FlightRecording {
  /// Returns the recording of a random life in virtual time, the same for the same seed: visits and
  /// stays in the background, a source that repeats reports now and then, a clock that is set, low
  /// memory, and an end or none.
  ///
  /// - Parameter recordCount: The number of records, to which up to a visit more come.
  package static func randomLife(seed: UInt64, recordCount: Int) -> Self {
    var life = RandomLife(seed: seed)
    return life.recording(recordCount)
  }
}

private struct RandomLife {
  private let clock = ManualClock()
  private let bus: NonisolatedLifecycleBus
  private let recorder: FlightRecorder
  private let application = FeedSource("application")
  private let signals = FeedSource("processSignals")
  private let connections: [LifecycleCancellable?]
  private let process: FlightRecording.Process
  private var random: SeededGenerator
  private var observers: [LifecycleCancellable] = []

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    bus = NonisolatedLifecycleBus(clock: clock)
    recorder = FlightRecorder(of: bus)
    connections = [try? bus.connect(application), try? bus.connect(signals)]
    process = FlightRecording.Process(
      name: ["rental", "feed", "server"].randomElement(using: &random)!,
      id: .random(in: 2...99_999, using: &random),
      bootID: .init(rawValue: "boot-\(seed)"),
      version: ["1.0", "1.1"].randomElement(using: &random),
      run: "life-\(seed)"
    )
  }

  mutating func recording(_ recordCount: Int) -> FlightRecording {
    report(.didFinishLaunching)
    while recorder.recording.records.count < recordCount { visit() }
    if isOne(of: 3) {
      report(.willEnterForeground)
      report(.didBecomeActive)
    }
    if !isOne(of: 3) { report(.willTerminate) }
    var recording = recorder.recording
    recording.process = process
    return recording
  }

  private mutating func visit() {
    report(.willEnterForeground)
    report(.didBecomeActive)
    if isOne(of: 2) { observers.append(bus.addObserver { _ in }) }
    pass(.random(in: 1...600, using: &random))
    if isOne(of: 20) { bus.send(.didReceiveMemoryWarning) }
    report(.willResignActive)
    report(.didEnterBackground)
    if isOne(of: 2) { observers.popLast()?.cancel() }
    // As many short stays as long ones, up to a day and a half.
    let seconds = Int.random(in: 1...10, using: &random) << Int.random(in: 0...14, using: &random)
    pass(Double(seconds))
    if isOne(of: 3) { clock.sleepDevice(for: .seconds(seconds)) }
    if isOne(of: 50) {
      clock.setWallClock(by: .seconds(Int.random(in: -7_200...7_200, using: &random)))
    }
  }

  /// Reports from the application and, now and then, also from the signals.
  private mutating func report(_ kind: LifecycleEvent.Kind) {
    application.feed.send(kind)
    if isOne(of: 10) { signals.feed.send(kind) }
  }

  private func pass(_ seconds: Double) { clock.advance(by: .seconds(seconds)) }

  private mutating func isOne(of count: Int) -> Bool {
    Int.random(in: 0..<count, using: &random) == 0
  }
}
