import CustomDump
import Foundation

/// The form in which the values of a type are stored, and what programs do with these values.
struct StoredForm: Sendable {
  /// The name of the type, without those of the types around it.
  let name: String
  private let decode: @Sendable (Data) throws -> Void
  private let findFault: @Sendable (Data) -> String?

  /// - Parameter fault: Uses a value. Returns what is wrong with it; nil if nothing is.
  init<Value: Codable & Equatable & SendableMetatype>(
    _ type: Value.Type,
    fault: @escaping @Sendable (Value) -> String? = { _ in nil }
  ) {
    name = String(describing: type)
    decode = { _ = try JSONDecoder().decode(type, from: $0) }
    findFault = { data in
      guard let value = try? JSONDecoder().decode(type, from: data) else { return nil }
      guard let encoded = try? JSONEncoder().encode(value),
        let again = try? JSONDecoder().decode(type, from: encoded)
      else { return "\(value) can't be stored and read again" }
      guard again == value else { return "\(again) instead of \(value)" }
      _ = "\(value)"
      _ = String(customDumping: value)
      return fault(value)
    }
  }

  /// Returns a Boolean value that indicates whether this JSON is a value of the type.
  func isRead(from json: Data) -> Bool {
    (try? decode(json)) != nil
  }

  /// Returns what is wrong with the value that this JSON is; nil if nothing is, or if it is none.
  func fault(in json: Data) -> String? {
    findFault(json).map { "\(name): \($0)" }
  }
}

extension FuzzTarget {
  /// A value as JSON, which is read as each of the public types that can be stored.
  static let codable = FuzzTarget("codable") { bytes in
    let data = Data(bytes)
    return StoredForm.all.lazy.compactMap { $0.fault(in: data) }.first
  }
}
