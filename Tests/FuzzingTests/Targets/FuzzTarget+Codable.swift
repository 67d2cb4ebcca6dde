import Foundation

extension FuzzTarget {
  /// A value as JSON, which is read as each of the public types that can be stored.
  static let codable = FuzzTarget("codable") { bytes in
    let data = Data(bytes)
    return StoredForm.all.lazy.compactMap { $0.fault(in: data) }.first
  }
}
