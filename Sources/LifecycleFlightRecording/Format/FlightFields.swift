import ReactiveLifecycle

/// The fields of one JSON object, read with errors that tell what was found.
struct FlightFields {
  private let container: KeyedDecodingContainer<FlightField>

  init(_ decoder: any Decoder) throws {
    container = try decoder.container(keyedBy: FlightField.self)
  }

  func contains(_ field: FlightField) -> Bool { container.contains(field) }

  /// Returns nil if the field is missing or null.
  func optional<Value>(
    _ field: FlightField,
    _ read: (FlightField) throws(FlightLineDamage) -> Value
  ) throws(FlightLineDamage) -> Value? {
    guard contains(field), (try? container.decodeNil(forKey: field)) != true else { return nil }
    return try read(field)
  }

  func text(_ field: FlightField) throws(FlightLineDamage) -> String {
    try value(field, "a text")
  }

  /// Returns a number of things, or the number of a thing.
  func number(_ field: FlightField) throws(FlightLineDamage) -> Int {
    try number(field, from: 0)
  }

  /// Returns the number of a thing if the first one has the number 1.
  func positiveNumber(_ field: FlightField) throws(FlightLineDamage) -> Int {
    try number(field, from: 1)
  }

  private func number(_ field: FlightField, from least: Int) throws(FlightLineDamage) -> Int {
    let number: Int = try value(field, "a whole number")
    guard least...FlightFormat.greatestNumber ~= number else {
      throw wrong(field, "a number from \(least) to \(FlightFormat.greatestNumber)")
    }
    return number
  }

  func processID(_ field: FlightField) throws(FlightLineDamage) -> Int32 {
    try value(field, "the identifier of a process")
  }

  func nanoseconds(_ field: FlightField) throws(FlightLineDamage) -> Duration {
    let nanoseconds: Int64 = try value(field, "a whole number of nanoseconds")
    return .nanoseconds(nanoseconds)
  }

  func instant(_ fields: FlightInstantFields) throws(FlightLineDamage) -> LifecycleInstant {
    LifecycleInstant(
      continuous: ContinuousInstant(timeSinceBoot: try nanoseconds(fields.continuous)),
      timeAwake: try nanoseconds(fields.suspending),
      timeSince1970: try nanoseconds(fields.wall)
    )
  }

  /// Returns the value whose name the field has.
  func named<Value: RawRepresentable<String>>(
    _ field: FlightField,
    _ names: @autoclosure () -> [String]
  ) throws(FlightLineDamage) -> Value {
    guard let value = Value(rawValue: try text(field)) else {
      throw wrong(field, names().joined(separator: ", "))
    }
    return value
  }

  func phase(_ field: FlightField) throws(FlightLineDamage) -> LifecyclePhase {
    try named(field, LifecyclePhase.allCases.map(\.rawValue))
  }

  func origin(_ field: FlightField) throws(FlightLineDamage) -> LifecycleEvent.Origin {
    try value(field, "source(NAME), synthesized, manual, or catchUp")
  }

  /// Returns the texts of a nested object; empty if the field is missing.
  func texts(_ field: FlightField) throws(FlightLineDamage) -> [String: String] {
    try optional(field) { field throws(FlightLineDamage) in
      try value(field, "an object of texts")
    } ?? [:]
  }

  func sources(_ field: FlightField) throws(FlightLineDamage) -> [FlightSource] {
    let sources: [FlightSourceLine] = try value(field, "a list of sources")
    var numbers: Set<Int> = []
    for line in sources where !numbers.insert(line.source.id).inserted {
      throw .unreadable("the field \"\(field.rawValue)\" has source \(line.source.id) twice")
    }
    return sources.map(\.source)
  }

  private func value<Value: Decodable>(
    _ field: FlightField,
    _ expected: @autoclosure () -> String
  ) throws(FlightLineDamage) -> Value {
    guard contains(field) else {
      throw .unreadable("the field \"\(field.rawValue)\" is missing")
    }
    do {
      return try container.decode(Value.self, forKey: field)
    } catch let error as FlightLineDamage {
      throw error
    } catch {
      throw wrong(field, expected())
    }
  }

  /// Returns the error for a field that has another value than expected.
  func wrong(_ field: FlightField, _ expected: String) -> FlightLineDamage {
    .unreadable("the field \"\(field.rawValue)\" is \(found(field)) instead of \(expected)")
  }

  private func found(_ field: FlightField) -> String {
    if let text = try? container.decode(String.self, forKey: field) {
      return FlightLineDamage.quoted(text)
    }
    if let number = try? container.decode(Int64.self, forKey: field) { return "\(number)" }
    if let number = try? container.decode(Double.self, forKey: field) { return "\(number)" }
    if let flag = try? container.decode(Bool.self, forKey: field) { return "\(flag)" }
    if (try? container.decodeNil(forKey: field)) == true { return "null" }
    return "an object, a list, or a number out of range"
  }
}
