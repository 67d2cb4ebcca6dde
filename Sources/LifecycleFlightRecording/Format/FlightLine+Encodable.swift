import ReactiveLifecycle

extension FlightLine: Encodable {
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: FlightField.self)
    switch self {
    case .head(let process, let start): try Self.encode(process, start, &container)
    case .record(let record, let number):
      try container.encode(FlightFormat.number(number), forKey: .number)
      try Self.encode(record.instant, as: .record, &container)
      try Self.encode(record.content, at: record.instant, &container)
    }
  }

  private typealias Container = KeyedEncodingContainer<FlightField>

  private static func encode(
    _ process: FlightRecording.Process,
    _ start: FlightRecording.Start,
    _ container: inout Container
  ) throws {
    try container.encode(FlightFormat.name, forKey: .format)
    try container.encode(FlightFormat.version, forKey: .version)
    try container.encode(process.name, forKey: .process)
    try container.encode(process.id, forKey: .pid)
    try container.encodeIfPresent(process.bootID?.rawValue, forKey: .boot)
    try encode(start.instant, as: .record, &container)
    try container.encode(start.phase.rawValue, forKey: .phase)
    if start.program != .unknown {
      try container.encode(start.program.rawValue, forKey: .program)
    }
    try container.encode(FlightFormat.number(start.dropped), forKey: .dropped)
    try container.encode(start.sources.map(FlightSourceLine.init), forKey: .sources)
  }

  private static func encode(
    _ instant: LifecycleInstant,
    as fields: FlightInstantFields,
    _ container: inout Container
  ) throws {
    let continuous = instant.continuous.timeSinceBoot.wholeNanoseconds
    try container.encode(continuous, forKey: fields.continuous)
    try container.encode(instant.timeAwake.wholeNanoseconds, forKey: fields.suspending)
    try container.encode(instant.timeSince1970.wholeNanoseconds, forKey: fields.wall)
  }

  private static func encode(
    _ content: FlightRecord.Content,
    at instant: LifecycleInstant,
    _ container: inout Container
  ) throws {
    try container.encode(name(of: content).rawValue, forKey: .record)
    switch content {
    case .connected(let source): try FlightSourceLine(source).encode(to: &container)
    case .disconnected(let source):
      try container.encode(FlightFormat.number(source), forKey: .source)
    case .input(let input):
      try container.encode(input.kind.rawValue, forKey: .kind)
      try container.encode(FlightFormat.number(input.source), forKey: .source)
      try container.encodeIfPresent(input.suppressed?.rawValue, forKey: .suppressed)
      try encode(input.metadata, &container)
    case .event(let event):
      try encode(event, &container)
      if event.instant != instant { try encode(event.instant, as: .input, &container) }
    case .observerAdded(let observer):
      try container.encode(FlightFormat.number(observer.id), forKey: .observer)
      let location = observer.location
      try container.encodeIfPresent(location.scope, forKey: .scope)
      try container.encodeIfPresent(location.fileID, forKey: .file)
      try container.encodeIfPresent(location.line.map { FlightFormat.number($0) }, forKey: .line)
    case .observerRemoved(let observer):
      try container.encode(FlightFormat.number(observer), forKey: .observer)
    case .activity(let activity): try encode(activity, &container)
    case .note(let text): try container.encode(text, forKey: .text)
    case .ended: break
    }
  }

  private static func encode(_ event: LifecycleEvent, _ container: inout Container) throws {
    try container.encode(event.kind.rawValue, forKey: .kind)
    try container.encode(event.previousPhase.rawValue, forKey: .previousPhase)
    try container.encode(event.phase.rawValue, forKey: .phase)
    try container.encode(FlightFormat.number(event.sequenceNumber), forKey: .sequenceNumber)
    try container.encode(event.origin, forKey: .origin)
    if let stay = event.backgroundStay {
      try container.encode(stay.duration.wholeNanoseconds, forKey: .away)
      try container.encode(stay.timeAsleep.wholeNanoseconds, forKey: .asleep)
      try container.encode(stay.wallClockShift.wholeNanoseconds, forKey: .clockShift)
    }
    try encode(event.metadata, &container)
  }

  private static func encode(_ metadata: [String: String], _ container: inout Container) throws {
    if !metadata.isEmpty { try container.encode(metadata, forKey: .metadata) }
  }

  private static func encode(_ activity: FlightActivity, _ container: inout Container) throws {
    try container.encode(activity.kind.rawValue, forKey: .activity)
    try container.encode(FlightFormat.number(activity.id), forKey: .id)
    try container.encode(activity.name, forKey: .name)
    let (change, outcome): (ChangeName, String?) =
      switch activity.change {
      case .began: (.began, nil)
      case .paused: (.paused, nil)
      case .resumed: (.resumed, nil)
      case .ended(let outcome): (.ended, outcome)
      }
    try container.encode(change.rawValue, forKey: .change)
    try container.encodeIfPresent(outcome, forKey: .outcome)
  }

  private static func name(of content: FlightRecord.Content) -> RecordName {
    switch content {
    case .connected: .connected
    case .disconnected: .disconnected
    case .input: .input
    case .event: .event
    case .observerAdded: .observerAdded
    case .observerRemoved: .observerRemoved
    case .activity: .activity
    case .note: .note
    case .ended: .ended
    }
  }
}
