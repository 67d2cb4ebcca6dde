package import LifecycleCore
package import LifecycleFlightRecording

/// Writes the recording of a run by hand.
package struct Story {
  package private(set) var recording: FlightRecording
  package private(set) var now: LifecycleInstant
  private var phase: LifecyclePhase
  private var sequenceNumber = 0
  private var entered: LifecycleInstant?
  private var names: [Int: LifecycleSourceName] = [:]

  package init(
    _ name: String = "/usr/bin/rental",
    id: Int32 = 4711,
    boot: BootID? = "boot-1",
    at uptime: Duration = .seconds(100),
    wall: Duration = .seconds(1_768_469_200),
    phase: LifecyclePhase = .unknown,
    sources: [FlightSource] = [],
    dropped: Int = 0
  ) {
    now = LifecycleInstant(
      continuous: .boot + uptime,
      timeAwake: uptime,
      timeSince1970: wall
    )
    self.phase = phase
    for source in sources { names[source.id] = source.name }
    recording = FlightRecording(
      process: .init(name: name, id: id, bootID: boot),
      start: .init(at: now, phase: phase, sources: sources, dropped: dropped)
    )
  }

  package mutating func wait(_ duration: Duration) { now = now.advanced(by: duration) }

  package mutating func sleep(_ duration: Duration) {
    now.continuous += duration
    now.timeSince1970 += duration
  }

  package mutating func setClock(_ shift: Duration) { now.timeSince1970 += shift }

  package mutating func add(_ content: FlightRecord.Content) {
    recording.records.append(FlightRecord(content, at: now))
  }

  package mutating func connect(
    _ id: Int,
    _ name: LifecycleSourceName,
    as role: LifecycleRole = .participant(.application)
  ) {
    names[id] = name
    add(.connected(FlightSource(id: id, name: name, role: role)))
  }

  package mutating func disconnect(_ id: Int) { add(.disconnected(source: id)) }

  /// A source reports something, and the bus accepts the events for it.
  package mutating func input(
    _ kind: LifecycleEvent.Kind,
    from source: Int = 0,
    metadata: [String: String] = [:]
  ) {
    add(.input(FlightInput(kind, from: source, metadata: metadata)))
    let before = phase
    switch kind {
    case .didFinishLaunching: phase = .background
    case .willEnterForeground: phase = .inactive
    case .didBecomeActive: phase = .active
    case .willResignActive: phase = .inactive
    case .didEnterBackground: phase = .background
    case .willTerminate: phase = .terminated
    default: break
    }
    sequenceNumber += 1
    var event = LifecycleEvent(
      kind: kind,
      previousPhase: before,
      phase: phase,
      sequenceNumber: sequenceNumber,
      instant: now,
      origin: names[source].map { .source($0) } ?? .manual,
      metadata: metadata
    )
    if kind == .willEnterForeground, let entered {
      event.backgroundStay = BackgroundStay(from: entered, to: now)
    }
    if kind == .didEnterBackground { entered = now }
    add(.event(event))
  }

  package mutating func suppress(
    _ kind: LifecycleEvent.Kind,
    from source: Int,
    _ reason: SuppressedInput.Reason
  ) {
    add(.input(FlightInput(kind, from: source, suppressed: reason)))
  }

  package mutating func activity(
    _ kind: FlightActivity.Kind,
    _ id: Int,
    _ name: String,
    _ change: FlightActivity.Change
  ) {
    add(.activity(FlightActivity(kind, id: id, name: name, change)))
  }

  package mutating func observe(_ id: Int, _ scope: String? = nil) {
    let location = LifecycleObserverLocation(scope: scope, fileID: "App/Main.swift", line: 12)
    add(.observerAdded(observer: id, location))
  }

  package mutating func note(_ text: String) { add(.note(text)) }

  package mutating func launch(from source: Int = 0) {
    input(.didFinishLaunching, from: source)
    input(.willEnterForeground, from: source)
    input(.didBecomeActive, from: source)
  }

  package mutating func leave(from source: Int = 0) {
    input(.willResignActive, from: source)
    input(.didEnterBackground, from: source)
  }

  package mutating func comeBack(from source: Int = 0) {
    input(.willEnterForeground, from: source)
    input(.didBecomeActive, from: source)
  }

  package mutating func end(from source: Int = 0) {
    input(.willTerminate, from: source)
    add(.ended)
  }
}
