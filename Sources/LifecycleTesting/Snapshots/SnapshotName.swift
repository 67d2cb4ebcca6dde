/// The name of a snapshot's file.
struct SnapshotName: Equatable {
  enum Problem: Error, Equatable {
    case isEmpty
    case isRelative
    /// The name contains a character that is not possible in file names everywhere.
    case contains(Character)
    /// The file's name is too long; the value is its number of bytes.
    case isTooLong(Int)
  }

  private static let lengthLimit = 255

  /// The name of the function, without characters that are not possible in file names.
  let function: String
  /// A Boolean value that indicates whether the function has parameters, and so is called more than
  /// once.
  let hasParameters: Bool
  private let name: String?

  /// - Parameters:
  ///   - function: The value of `#function`.
  ///   - name: The name that the test gives the snapshot.
  init(function: String, name: String?) throws(Problem) {
    let parenthesis = function.lastIndex(of: "(") ?? function.endIndex
    self.function = String(
      function[..<parenthesis].map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "-" }
    )
    hasParameters = function[parenthesis...].count > 2
    self.name = name
    if let name { try Self.check(name) }
    let length = file(number: 1_000_000).utf8.count
    guard length <= Self.lengthLimit else { throw .isTooLong(file(number: 1).utf8.count) }
  }

  private static func check(_ name: String) throws(Problem) {
    if name.allSatisfy(\.isWhitespace) { throw .isEmpty }
    if name == "." || name == ".." { throw .isRelative }
    let bad = name.first { character in
      #"/\:*?"<>|"#.contains(character)
        || character.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
    if let bad { throw .contains(bad) }
  }

  /// Returns `FUNCTION.txt`, `FUNCTION-2.txt` or `FUNCTION.NAME.txt`.
  ///
  /// - Parameter number: The number of an unnamed snapshot in its test, from 1.
  func file(number: Int) -> String {
    if let name { return "\(function).\(name).txt" }
    return number == 1 ? "\(function).txt" : "\(function)-\(number).txt"
  }
}

extension SnapshotName.Problem {
  /// The problem with the name, as it follows "The snapshot name … is not valid: ".
  var reason: String {
    switch self {
    case .isEmpty: "the name is empty"
    case .isRelative: "it is the name of a folder"
    case .contains(let character):
      "some platforms don't allow \(String(character).debugDescription) in file names"
    case .isTooLong(let count): "its file name would have \(count) bytes, and the limit is 255"
    }
  }
}
