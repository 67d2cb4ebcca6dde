import LifecycleCore

/// One line of a file: the head of a run, or a record.
enum FlightLine: Sendable, Equatable {
  case head(FlightRecording.Process, FlightRecording.Start)
  /// A record, its number, and the identifier of its run. The number of the first record ever
  /// recorded is 0.
  case record(FlightRecord, number: Int, run: String?)
}

/// The fields of the lines of a file.
///
/// The article <doc:RecordingFormat> lists which line has which.
enum FlightField: String, CodingKey, CaseIterable {
  // The head of a run
  case format, version, process, pid, boot, programVersion, program, dropped, sources
  // Every record
  case record, number
  // The head and every record
  case run, continuous, suspending, wall
  // The input that caused an event, where it is older than the record
  case inputContinuous, inputSuspending, inputWall
  // A source
  case source, name, role, participant, whole, phase
  // An input or an event
  case kind, metadata, suppressed
  case sequenceNumber, previousPhase, origin, away, asleep, clockShift
  // An observer, or an overrun
  case observer, scope, file, line
  // A countdown, a background task, or a fetch
  case activity, id, change, outcome
  // A note
  case text
}

extension FlightLine: Codable {
  /// Decodes a line.
  ///
  /// - Throws: A ``FlightLineDamage``, or the decoder's error if the line is no JSON object.
  init(from decoder: any Decoder) throws {
    let fields = FlightFields.read(try decoder.container(keyedBy: FlightField.self))
    if fields.has(.format) {
      var process = FlightRecording.Process(name: "", id: 0)
      var start = FlightRecording.Start(at: .blank)
      try fields.head(&process, &start)
      self = .head(process, start)
    } else if fields.has(.record) {
      var (record, number) = (FlightRecord(.ended, at: .blank), 0)
      var run: String?
      try fields.record(&record, &number, &run)
      self = .record(record, number: number, run: run)
    } else {
      throw FlightLineDamage.unreadable(
        "it has neither the field \"format\" of a run nor the field \"record\" of a record"
      )
    }
  }

  func encode(to encoder: any Encoder) throws {
    let fields = FlightFields.written(encoder.container(keyedBy: FlightField.self))
    switch self {
    case .head(var process, var start): try fields.head(&process, &start)
    case .record(var record, var number, var run): try fields.record(&record, &number, &run)
    }
  }
}

/// A source, as a separate object in the head of a run.
private struct SourceLine: Codable {
  var source: FlightSource

  init(_ source: FlightSource) { self.source = source }

  init(from decoder: any Decoder) throws {
    source = .blank
    try FlightFields.read(try decoder.container(keyedBy: FlightField.self)).source(&source)
  }

  func encode(to encoder: any Encoder) throws {
    var source = source
    try FlightFields.written(encoder.container(keyedBy: FlightField.self)).source(&source)
  }
}

/// The fields of one JSON object, which is read or written.
///
/// Each method reads fields into a value, or writes the value to them: what a line contains is said
/// once for both.
private enum FlightFields {
  case read(KeyedDecodingContainer<FlightField>)
  case written(KeyedEncodingContainer<FlightField>)

  // MARK: The head of a run

  func head(_ process: inout FlightRecording.Process, _ start: inout FlightRecording.Start) throws {
    var (format, version) = (FlightFormat.name, FlightFormat.version)
    try text(.format, &format)
    guard format == FlightFormat.name else { throw wrong(.format, "\"\(FlightFormat.name)\"") }
    try number(.version, &version)
    guard version <= FlightFormat.version else { throw FlightLineDamage.laterVersion(version) }
    guard version > 0 else { throw wrong(.version, "\(FlightFormat.version)") }
    try text(.process, &process.name)
    try value(.pid, &process.id, "the identifier of a process")
    try optional(.boot, &process.bootID, BootID(rawValue: "")) { try named($0, &$1) }
    try optional(.programVersion, &process.version, "", text)
    try optional(.run, &process.run, "", text)
    try instant(&start.instant)
    try named(.phase, &start.phase, LifecyclePhase.allCases)
    var program = start.program == .unknown ? nil : start.program
    try optional(.program, &program, .unknown) { try named($0, &$1, LifecyclePhase.allCases) }
    start.program = program ?? .unknown
    var sources = start.sources.map(SourceLine.init)
    try value(.sources, &sources, "a list of sources")
    start.sources = sources.map(\.source)
    if case .read = self {
      var numbers: Set<Int> = []
      for source in start.sources where !numbers.insert(source.id).inserted {
        throw FlightLineDamage.unreadable("the field \"sources\" has source \(source.id) twice")
      }
    }
    try number(.dropped, &start.dropped)
  }

  // MARK: Records

  func record(
    _ record: inout FlightRecord,
    _ number: inout Int,
    _ run: inout String?
  ) throws {
    var name = RecordName(record.content)
    try named(.record, &name, RecordName.allCases)
    try self.number(.number, &number)
    try optional(.run, &run, "", text)
    try instant(&record.instant)
    if case .read = self { record.content = name.blankContent }
    switch record.content {
    case .connected(var source):
      try self.source(&source)
      record.content = .connected(source)
    case .disconnected(var source):
      try self.number(.source, &source)
      record.content = .disconnected(source: source)
    case .input(var input):
      try self.input(&input)
      record.content = .input(input)
    case .event(var event):
      try self.event(&event, at: record.instant)
      record.content = .event(event)
    case .observerAdded(var observer, var location):
      try self.location(&location)
      try self.number(.observer, &observer)
      record.content = .observerAdded(observer: observer, location)
    case .observerRemoved(var observer):
      try self.number(.observer, &observer)
      record.content = .observerRemoved(observer: observer)
    case .overrun(var kind, var location):
      try named(.kind, &kind)
      try self.location(&location)
      record.content = .overrun(kind, location)
    case .activity(var activity):
      try self.activity(&activity)
      record.content = .activity(activity)
    case .note(var note):
      try text(.text, &note)
      record.content = .note(note)
    case .ended: break
    }
  }

  func source(_ source: inout FlightSource) throws {
    var role: RoleName
    var participant = LifecycleParticipant.application
    switch source.role {
    case .participant(.application): role = .application
    case .participant(let other): (role, participant) = (.participant, other)
    case .ceiling: role = .ceiling
    }
    try named(.role, &role, RoleName.allCases)
    switch role {
    case .application: source.role = .participant(.application)
    case .participant:
      try named(.participant, &participant)
      source.role = .participant(participant)
    case .ceiling: source.role = .ceiling
    }
    // The program is number 0.
    try number(.source, &source.id, from: 1)
    try optional(.whole, &source.whole, 0) { try number($0, &$1, from: 1) }
    // A part is connected after the source that it is a part of.
    if case .read = self, let whole = source.whole, whole >= source.id {
      throw wrong(.whole, "a number less than the source's, \(source.id)")
    }
    try named(.name, &source.name)
    try named(.phase, &source.phase, LifecyclePhase.allCases)
  }

  private func input(_ input: inout FlightInput) throws {
    try named(.kind, &input.kind)
    try number(.source, &input.source)
    try metadata(&input.metadata)
    try optional(.suppressed, &input.suppressed, .duplicate) {
      try named($0, &$1, SuppressedInput.Reason.allCases)
    }
  }

  private func event(_ event: inout LifecycleEvent, at instant: LifecycleInstant) throws {
    try named(.kind, &event.kind)
    try named(.previousPhase, &event.previousPhase, LifecyclePhase.allCases)
    try named(.phase, &event.phase, LifecyclePhase.allCases)
    try number(.sequenceNumber, &event.sequenceNumber)
    let fields = (FlightField.inputContinuous, FlightField.inputSuspending, FlightField.inputWall)
    if has(fields.0) || has(fields.1) || has(fields.2) || isWriting && event.instant != instant {
      try self.instant(&event.instant, fields)
    } else {
      event.instant = instant
    }
    try value(.origin, &event.origin, "source(NAME), synthesized, manual, or catchUp")
    try stay(&event.backgroundStay)
    try metadata(&event.metadata)
  }

  private func stay(_ stay: inout BackgroundStay?) throws {
    guard stay != nil || has(.away) || has(.asleep) || has(.clockShift) else { return }
    var (away, asleep) = (stay?.timeAway ?? .zero, stay?.timeAsleep ?? .zero)
    var shift = stay?.wallClockShift ?? .zero
    try duration(.away, &away)
    try duration(.asleep, &asleep)
    try duration(.clockShift, &shift)
    guard !isWriting else { return }
    guard away >= .zero else { throw wrong(.away, "zero or more") }
    guard .zero...away ~= asleep else {
      throw wrong(.asleep, "zero to the \(away.wholeNanoseconds) ns of the stay")
    }
    let returned = LifecycleInstant(
      continuous: .boot + away,
      timeAwake: away - asleep,
      timeSince1970: away + shift
    )
    stay = BackgroundStay(from: .blank, to: returned)
  }

  private func location(_ location: inout LifecycleObserverLocation) throws {
    try optional(.scope, &location.scope, "", text)
    try optional(.file, &location.fileID, "", text)
    var line = location.line.map { Int(clamping: $0) }
    try optional(.line, &line, 0) { try number($0, &$1) }
    location.line = line.map(UInt.init)
  }

  private func activity(_ activity: inout FlightActivity) throws {
    try named(.activity, &activity.kind, FlightActivity.Kind.allCases)
    var change: ChangeName
    var outcome = ""
    switch activity.change {
    case .began: change = .began
    case .paused: change = .paused
    case .resumed: change = .resumed
    case .ended(let text): (change, outcome) = (.ended, text)
    }
    try named(.change, &change, ChangeName.allCases)
    if change == .ended { try text(.outcome, &outcome) }
    activity.change =
      switch change {
      case .began: .began
      case .paused: .paused
      case .resumed: .resumed
      case .ended: .ended(outcome)
      }
    try number(.id, &activity.id)
    try text(.name, &activity.name)
  }

  // MARK: Values

  private func text(_ field: FlightField, _ text: inout String) throws {
    try value(field, &text, "a text")
  }

  /// A number of things, or the number of a thing.
  private func number(_ field: FlightField, _ number: inout Int, from least: Int = 0) throws {
    if isWriting { number = FlightFormat.number(number) }
    try value(field, &number, "a whole number")
    guard isWriting || least...FlightFormat.greatestNumber ~= number else {
      throw wrong(field, "a number from \(least) to \(FlightFormat.greatestNumber)")
    }
  }

  private func duration(_ field: FlightField, _ duration: inout Duration) throws {
    var nanoseconds = duration.wholeNanoseconds
    try value(field, &nanoseconds, "a whole number of nanoseconds")
    duration = .nanoseconds(nanoseconds)
  }

  private func instant(
    _ instant: inout LifecycleInstant,
    _ fields: (FlightField, FlightField, FlightField) = (.continuous, .suspending, .wall)
  ) throws {
    var (continuous, awake) = (instant.continuous.timeSinceBoot, instant.timeAwake)
    var wall = instant.timeSince1970
    try duration(fields.0, &continuous)
    try duration(fields.1, &awake)
    try duration(fields.2, &wall)
    guard !isWriting else { return }
    instant = LifecycleInstant(
      continuous: ContinuousInstant(timeSinceBoot: continuous),
      timeAwake: awake,
      timeSince1970: wall
    )
  }

  /// A value with a name.
  ///
  /// - Parameter all: The values that there are; none if every text is a name.
  private func named<Value: RawRepresentable<String>>(
    _ field: FlightField,
    _ value: inout Value,
    _ all: @autoclosure () -> [Value] = []
  ) throws {
    var name = value.rawValue
    try text(field, &name)
    guard !isWriting else { return }
    guard let named = Value(rawValue: name) else {
      throw wrong(field, all().map(\.rawValue).joined(separator: ", "))
    }
    value = named
  }

  private func metadata(_ metadata: inout [String: String]) throws {
    var texts = metadata.isEmpty ? nil : metadata
    try optional(.metadata, &texts, [:]) { try value($0, &$1, "an object of texts") }
    metadata = texts ?? [:]
  }

  /// A value that is not written if it is nil, and is nil if its field is missing or null.
  ///
  /// - Parameter blank: A value to read into.
  private func optional<Value>(
    _ field: FlightField,
    _ value: inout Value?,
    _ blank: Value,
    _ code: (FlightField, inout Value) throws -> Void
  ) throws {
    if case .read(let container) = self {
      let isThere = has(field) && (try? container.decodeNil(forKey: field)) != true
      value = isThere ? blank : nil
    }
    guard var present = value else { return }
    try code(field, &present)
    value = present
  }

  private func value<Value: Codable>(
    _ field: FlightField,
    _ value: inout Value,
    _ expected: @autoclosure () -> String
  ) throws {
    switch self {
    case .written(var container): try container.encode(value, forKey: field)
    case .read(let container):
      guard has(field) else {
        throw FlightLineDamage.unreadable("the field \"\(field.rawValue)\" is missing")
      }
      do {
        value = try container.decode(Value.self, forKey: field)
      } catch let error as FlightLineDamage {
        throw error
      } catch {
        throw wrong(field, expected())
      }
    }
  }

  // MARK: The object

  private var isWriting: Bool { if case .written = self { true } else { false } }

  /// A Boolean value that indicates whether the object that is read has the field.
  func has(_ field: FlightField) -> Bool {
    if case .read(let container) = self { container.contains(field) } else { false }
  }

  /// Returns the error for a field that has another value than expected.
  private func wrong(_ field: FlightField, _ expected: String) -> FlightLineDamage {
    .unreadable("the field \"\(field.rawValue)\" is \(found(field)) instead of \(expected)")
  }

  private func found(_ field: FlightField) -> String {
    guard case .read(let container) = self else { return "" }
    do {
      return FlightLineDamage.quoted(try container.decode(String.self, forKey: field))
    } catch DecodingError.typeMismatch, DecodingError.valueNotFound {
    } catch {
      return "a text with an invalid escape, such as half of a surrogate pair,"
    }
    if let number = try? container.decode(Int64.self, forKey: field) { return "\(number)" }
    if let number = try? container.decode(Double.self, forKey: field) { return "\(number)" }
    if let flag = try? container.decode(Bool.self, forKey: field) { return "\(flag)" }
    if (try? container.decodeNil(forKey: field)) == true { return "null" }
    return "an object, a list, or a number out of range"
  }
}

// MARK: Names and blank values

private enum ChangeName: String, CaseIterable {
  case began, paused, resumed, ended
}

private enum RoleName: String, CaseIterable {
  case application, participant, ceiling
}

private enum RecordName: String, CaseIterable {
  case connected, disconnected, input, event, observerAdded, observerRemoved, overrun, activity
  case note, ended

  init(_ content: FlightRecord.Content) {
    self =
      switch content {
      case .connected: .connected
      case .disconnected: .disconnected
      case .input: .input
      case .event: .event
      case .observerAdded: .observerAdded
      case .observerRemoved: .observerRemoved
      case .overrun: .overrun
      case .activity: .activity
      case .note: .note
      case .ended: .ended
      }
  }

  /// A content to read into.
  var blankContent: FlightRecord.Content {
    switch self {
    case .connected: .connected(.blank)
    case .disconnected: .disconnected(source: 0)
    case .input: .input(FlightInput(.didFinishLaunching, from: 0))
    case .event:
      .event(
        LifecycleEvent(
          kind: .didFinishLaunching,
          previousPhase: .unknown,
          phase: .unknown,
          sequenceNumber: 0,
          instant: .blank,
          origin: .manual
        )
      )
    case .observerAdded: .observerAdded(observer: 0, LifecycleObserverLocation())
    case .observerRemoved: .observerRemoved(observer: 0)
    case .overrun: .overrun(.didFinishLaunching, LifecycleObserverLocation())
    case .activity: .activity(FlightActivity(.countdown, id: 0, name: "", .began))
    case .note: .note("")
    case .ended: .ended
    }
  }
}

extension LifecycleInstant {
  fileprivate static let blank = Self(continuous: .boot, timeAwake: .zero, timeSince1970: .zero)
}

extension FlightSource {
  fileprivate static let blank = Self(id: 0, name: "")
}
