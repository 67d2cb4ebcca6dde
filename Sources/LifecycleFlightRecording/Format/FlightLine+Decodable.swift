import ReactiveLifecycle

extension FlightLine: Decodable {
  /// Decodes a line.
  ///
  /// - Throws: A ``FlightLineDamage``, or the decoder's error if the line is no JSON object.
  init(from decoder: any Decoder) throws {
    let fields = try FlightFields(decoder)
    if fields.contains(.format) {
      self = try Self.head(fields)
    } else if fields.contains(.record) {
      self = try Self.record(fields)
    } else {
      throw FlightLineDamage.unreadable(
        "it has neither the field \"format\" of a run nor the field \"record\" of a record"
      )
    }
  }

  private static func head(_ fields: FlightFields) throws(FlightLineDamage) -> FlightLine {
    guard try fields.text(.format) == FlightFormat.name else {
      throw fields.wrong(.format, "\"\(FlightFormat.name)\"")
    }
    let version = try fields.number(.version)
    guard version <= FlightFormat.version else { throw .laterVersion(version) }
    guard version > 0 else { throw fields.wrong(.version, "\(FlightFormat.version)") }
    let process = FlightRecording.Process(
      name: try fields.text(.process),
      id: try fields.processID(.pid),
      bootID: try fields.optional(.boot, fields.text).map { BootID(rawValue: $0) }
    )
    let start = FlightRecording.Start(
      at: try fields.instant(.record),
      phase: try fields.phase(.phase),
      program: try fields.optional(.program, fields.phase) ?? .unknown,
      sources: try fields.sources(.sources),
      dropped: try fields.number(.dropped)
    )
    return .head(process, start)
  }

  private static func record(_ fields: FlightFields) throws(FlightLineDamage) -> FlightLine {
    let name: RecordName = try fields.named(.record, RecordName.allCases.map(\.rawValue))
    let (number, instant) = (try fields.number(.number), try fields.instant(.record))
    let content: FlightRecord.Content =
      switch name {
      case .connected: .connected(try FlightSourceLine(fields).source)
      case .disconnected: .disconnected(source: try fields.number(.source))
      case .input: .input(try input(fields))
      case .event: .event(try event(fields, at: instant))
      case .observerAdded: .observerAdded(try observer(fields))
      case .observerRemoved: .observerRemoved(observer: try fields.number(.observer))
      case .activity: .activity(try activity(fields))
      case .note: .note(try fields.text(.text))
      case .ended: .ended
      }
    return .record(FlightRecord(content, at: instant), number: number)
  }

  private static func input(_ fields: FlightFields) throws(FlightLineDamage) -> FlightInput {
    FlightInput(
      LifecycleEvent.Kind(rawValue: try fields.text(.kind)),
      from: try fields.number(.source),
      metadata: try fields.texts(.metadata),
      suppressed: try fields.optional(.suppressed) { field throws(FlightLineDamage) in
        try fields.named(field, SuppressedInput.Reason.allCases.map(\.rawValue))
      }
    )
  }

  private static func event(
    _ fields: FlightFields,
    at instant: LifecycleInstant
  ) throws(FlightLineDamage) -> LifecycleEvent {
    let inputFields = FlightInstantFields.input
    let isOlder = inputFields.all.contains(where: fields.contains)
    return LifecycleEvent(
      kind: LifecycleEvent.Kind(rawValue: try fields.text(.kind)),
      previousPhase: try fields.phase(.previousPhase),
      phase: try fields.phase(.phase),
      sequenceNumber: try fields.number(.sequenceNumber),
      instant: isOlder ? try fields.instant(inputFields) : instant,
      origin: try fields.origin(.origin),
      backgroundStay: try stay(fields),
      metadata: try fields.texts(.metadata)
    )
  }

  private static func stay(_ fields: FlightFields) throws(FlightLineDamage) -> BackgroundStay? {
    guard [.away, .asleep, .clockShift].contains(where: fields.contains) else { return nil }
    let (away, asleep) = (try fields.nanoseconds(.away), try fields.nanoseconds(.asleep))
    let shift = try fields.nanoseconds(.clockShift)
    guard away >= .zero else { throw fields.wrong(.away, "zero or more") }
    guard .zero...away ~= asleep else {
      throw fields.wrong(.asleep, "zero to the \(away.wholeNanoseconds) ns of the stay")
    }
    let returned = LifecycleInstant(
      continuous: .boot + away,
      timeAwake: away - asleep,
      timeSince1970: away + shift
    )
    return BackgroundStay(
      from: LifecycleInstant(continuous: .boot, timeAwake: .zero, timeSince1970: .zero),
      to: returned
    )
  }

  private static func observer(_ fields: FlightFields) throws(FlightLineDamage) -> FlightObserver {
    let location = LifecycleObserverLocation(
      scope: try fields.optional(.scope, fields.text),
      fileID: try fields.optional(.file, fields.text),
      line: try fields.optional(.line, fields.number).map(UInt.init)
    )
    return FlightObserver(id: try fields.number(.observer), location: location)
  }

  private static func activity(_ fields: FlightFields) throws(FlightLineDamage) -> FlightActivity {
    let kind: FlightActivity.Kind = try fields.named(
      .activity,
      FlightActivity.Kind.allCases.map(\.rawValue)
    )
    let name: ChangeName = try fields.named(.change, ChangeName.allCases.map(\.rawValue))
    let change: FlightActivity.Change =
      switch name {
      case .began: .began
      case .paused: .paused
      case .resumed: .resumed
      case .ended: .ended(try fields.text(.outcome))
      }
    return FlightActivity(kind, id: try fields.number(.id), name: try fields.text(.name), change)
  }
}
