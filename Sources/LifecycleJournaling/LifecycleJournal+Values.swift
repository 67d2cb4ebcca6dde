#if canImport(FoundationEssentials)
  import struct FoundationEssentials.Data
  import class FoundationEssentials.JSONDecoder
  import class FoundationEssentials.JSONEncoder
#else
  import struct Foundation.Data
  import class Foundation.JSONDecoder
  import class Foundation.JSONEncoder
#endif

extension LifecycleJournal {
  /// Records a small value for this run and later ones, such as the state of a countdown.
  ///
  /// ```swift
  /// try journal.set(deadline, forKey: "deadline")
  /// let deadline = try journal.value(Deadline.self, forKey: "deadline")
  /// ```
  ///
  /// All values and keys together have room for about 3.5 kB. Thread-safe; the value is encoded as
  /// JSON on the calling thread, without a lock.
  ///
  /// - Parameters:
  ///   - value: The value; nil removes the existing one.
  ///   - key: The name of the value.
  /// - Throws: A ``WriteError``; the existing value is then kept. If nothing is thrown, the value
  ///   is durable, whatever happens afterwards.
  public func set(_ value: (some Encodable)?, forKey key: String) throws(WriteError) {
    let bytes: [UInt8]?
    do {
      bytes = try Self.encode(value)
    } catch {
      throw .cannotEncode(key: key, reason: "\(error)")
    }
    try core.set(bytes, forKey: key)
  }

  /// Returns the value that this run or an earlier one has set.
  ///
  /// Thread-safe; nothing is read from the file.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - key: The name of the value.
  /// - Returns: The value; nil if there is none.
  /// - Throws: A `DecodingError` if the value is of another type.
  public func value<Value: Decodable>(
    _ type: Value.Type = Value.self,
    forKey key: String
  ) throws -> Value? {
    guard let bytes = core.values[key] else { return nil }
    return try JSONDecoder().decode(type, from: Data(bytes))
  }

  static func encode(_ value: (some Encodable)?) throws -> [UInt8]? {
    try value.map { Array(try JSONEncoder().encode($0)) }
  }
}
