/// What a file of Swift code declares for other files, and the words that it uses.
struct SwiftDeclarations {
  /// The types of the file's top level.
  private(set) var topLevelTypes: [String] = []
  /// The types inside others, as `Outer.Inner`.
  private(set) var nestedTypes: [String] = []
  /// The functions of the file's top level. Methods are not among them: their names say too little.
  private(set) var functions: [String] = []
  /// Each word that may name a type, with the line on which it stands first. A type inside another one
  /// is `Outer.Inner`, also where the code of `Outer` leaves that out.
  private(set) var typeUses: [String: Int] = [:]
  /// Each word that may name a function of some top level.
  private(set) var functionUses: [String: Int] = [:]

  private static let typeKeywords: Set = [
    "actor", "class", "enum", "protocol", "struct", "typealias",
  ]

  /// What stands between braces.
  private struct Braces {
    /// The type whose body or extension it is.
    var type: String?
    var isVisible: Bool

    static let code = Braces(isVisible: false)
  }

  init(_ source: String) {
    let tokens = SwiftTokens.tokens(of: source)
    var braces: [Braces] = []
    var next = Braces.code
    var privateLine = 0
    for (index, token) in tokens.enumerated() {
      let before = index > 0 ? tokens[index - 1] : nil
      let after = index + 1 < tokens.count ? tokens[index + 1] : nil
      switch token.text {
      case "{":
        braces.append(next)
        next = .code
      case "}":
        _ = braces.popLast()
      case "private", "fileprivate":
        if after?.text != "(" { privateLine = token.line }
      case "extension":
        next = Braces(type: after?.text, isVisible: privateLine != token.line)
      case "func":
        if let after, after.isWord, braces.isEmpty, privateLine != token.line {
          functions.append(after.text)
        }
      case let keyword where Self.typeKeywords.contains(keyword):
        guard let after, after.isWord, !["func", "var", "let", "subscript"].contains(after.text),
          before?.text != "import", before?.text != "."
        else { break }
        let isVisible = privateLine != token.line
        if keyword != "typealias" { next = Braces(type: after.text, isVisible: isVisible) }
        guard isVisible, braces.allSatisfy(\.isVisible) else { break }
        if let outer = braces.last?.type {
          nestedTypes.append("\(outer).\(after.text)")
        } else {
          topLevelTypes.append(after.text)
        }
      case _ where token.isWord:
        if let before, before.text == "func" || Self.typeKeywords.contains(before.text) { break }
        var types = before?.text == "." ? [] : [token.text]
        if before?.text == ".", index > 1 {
          types.append("\(tokens[index - 2].text).\(token.text)")
        }
        if before?.text != "." { types += braces.compactMap(\.type).map { "\($0).\(token.text)" } }
        for type in types { typeUses[type] = typeUses[type] ?? token.line }
        if before?.text != ".", after?.text != ":" {
          functionUses[token.text] = functionUses[token.text] ?? token.line
        }
      default: break
      }
    }
  }
}
