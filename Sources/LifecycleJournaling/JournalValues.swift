/// The program's own values in a journal, encoded, each under its key.
///
/// Setting a value encodes all of them, so that writing a transition only copies bytes.
struct JournalValues: Hashable, Sendable {
  private(set) var encoded: [UInt8]
  private var values: [String: [UInt8]]

  init() {
    values = [:]
    encoded = Self.encode([:])
  }

  subscript(key: String) -> [UInt8]? { values[key] }

  /// Returns the values with another value under the key, or none; nil if there is not enough room.
  ///
  /// - Parameter capacity: The maximum size of all values in bytes, encoded.
  func setting(_ value: [UInt8]?, forKey key: String, capacity: Int) -> JournalValues? {
    let (values, refused) = setting([(key, value)], capacity: capacity)
    return refused.isEmpty ? values : nil
  }

  /// Returns the values with several others, each under its key, or with none under that key.
  ///
  /// If there is not enough room for all, those that need less room than before are set first.
  ///
  /// - Parameters:
  ///   - changes: The values, and nil for none; each key once.
  ///   - capacity: The maximum size of all values in bytes, encoded.
  /// - Returns: The values, and the indices of those that are left out.
  func setting(
    _ changes: [(key: String, value: [UInt8]?)],
    capacity: Int
  ) -> (values: JournalValues, refused: [Int]) {
    let growth = changes.map { change in
      Self.size(change.key, change.value) - Self.size(change.key, values[change.key])
    }
    var copy = self
    var refused: [Int] = []
    var size = Self.size(of: values)
    for index in changes.indices.sorted(by: { (growth[$0], $0) < (growth[$1], $1) }) {
      guard growth[index] <= 0 || size + growth[index] <= capacity else {
        refused.append(index)
        continue
      }
      size += growth[index]
      copy.values[changes[index].key] = changes[index].value
    }
    if copy.values != values { copy.encoded = Self.encode(copy.values) }
    return (copy, refused)
  }

  /// Returns the maximum size of a value under the key, in bytes.
  func room(forKey key: String, capacity: Int) -> Int {
    var others = values
    others[key] = []
    return max(capacity - Self.size(of: others), 0)
  }

  private static func size(of values: [String: [UInt8]]) -> Int {
    values.reduce(2) { $0 + size($1.key, $1.value) }
  }

  private static func size(_ key: String, _ value: [UInt8]?) -> Int {
    value.map { 4 + key.utf8.count + $0.count } ?? 0
  }

  private static func encode(_ values: [String: [UInt8]]) -> [UInt8] {
    var writer = ByteWriter(capacity: size(of: values))
    writer.append(UInt16(values.count))
    for (key, value) in values.sorted(by: { $0.key < $1.key }) {
      writer.append(counted: key.utf8)
      writer.append(counted: value)
    }
    return writer.bytes
  }

  init?(from reader: inout ByteReader) {
    guard let count = reader.integer(UInt16.self) else { return nil }
    values = [:]
    for _ in 0..<count {
      guard let key = reader.text(), let value = reader.counted() else { return nil }
      values[key] = Array(value)
    }
    encoded = Self.encode(values)
  }
}
