/// What the file of a snapshot is called.
struct SnapshotName: Equatable {
  enum Problem: Error, Equatable {
    case isEmpty
    case isRelative
    /// A character that can't be in the names of files everywhere.
    case contains(Character)
    /// The bytes of the file's name.
    case isTooLong(Int)
  }

  private static let lengthLimit = 255

  /// The function, without what can't be in a file's name.
  let function: String
  /// Whether the function has parameters, and is called more than once.
  let hasParameters: Bool
  private let name: String?

  /// - Parameters:
  ///   - function: As `#function` has it.
  ///   - name: What the test calls the snapshot.
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

  /// `FUNCTION.txt`, `FUNCTION-2.txt`, `FUNCTION.NAME.txt`.
  ///
  /// - Parameter number: The number of a snapshot without a name in its test: 1, 2, ….
  func file(number: Int) -> String {
    if let name { return "\(function).\(name).txt" }
    return number == 1 ? "\(function).txt" : "\(function)-\(number).txt"
  }
}

extension SnapshotName.Problem {
  /// What is wrong with the name, after "A snapshot can't be called …: ".
  var reason: String {
    switch self {
    case .isEmpty: "the name is empty"
    case .isRelative: "that is the name of a folder"
    case .contains(let character):
      "a file's name can't have \(String(character).debugDescription) everywhere"
    case .isTooLong(let count): "its file's name would have \(count) bytes, of 255 at most"
    }
  }
}
