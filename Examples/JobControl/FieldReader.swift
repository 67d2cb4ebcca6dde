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
