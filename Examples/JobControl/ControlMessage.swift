/// The framing of the control socket: a message is a list of fields, written as their number and
/// then the fields, each ended by a zero byte, which no argument and no variable can contain.
enum ControlMessage {
  static func encode(_ fields: [String]) -> [UInt8] {
    ([String(fields.count)] + fields).flatMap { Array($0.utf8) + [0] }
  }
}

/// Assembles messages from the pieces in which a stream socket delivers them.
struct ControlMessageReader {
  private var partialField: [UInt8] = []
  private var fields: [String] = []
  private var missingFields: Int?

  /// Returns the messages that these bytes complete.
  mutating func receive(_ bytes: some Sequence<UInt8>) throws(JobControlError) -> [[String]] {
    var messages: [[String]] = []
    for byte in bytes {
      guard byte == 0 else {
        partialField.append(byte)
        continue
      }
      let field = String(decoding: partialField, as: UTF8.self)
      partialField.removeAll(keepingCapacity: true)
      if let missing = missingFields {
        fields.append(field)
        missingFields = missing - 1
      } else {
        guard let count = Int(field), count > 0 else { throw .protocolViolation(field) }
        missingFields = count
      }
      if missingFields == 0 {
        messages.append(fields)
        fields = []
        missingFields = nil
      }
    }
    return messages
  }
}

/// Reads the fields of a control message one after the other.
struct FieldReader {
  private var remaining: ArraySlice<String>

  init(_ fields: [String]) {
    remaining = fields[...]
  }

  var rest: [String] { Array(remaining) }

  mutating func next() throws(JobControlError) -> String {
    guard let field = remaining.popFirst() else { throw .protocolViolation("a field is missing") }
    return field
  }

  mutating func next<Value: LosslessStringConvertible>(
    as type: Value.Type = Value.self
  ) throws(JobControlError) -> Value {
    let field: String = try next()
    guard let value = Value(field) else { throw .protocolViolation(field) }
    return value
  }
}
