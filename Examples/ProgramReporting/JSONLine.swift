/// A JSON object on one line, with its members in the order in which they were added.
package struct JSONLine {
  private var members: [String] = []

  package init(type: String) {
    add("type", type)
  }

  package var text: String { "{\(members.joined(separator: ","))}\n" }

  package mutating func add(_ name: String, _ value: String) {
    members.append("\(Self.quoted(name)):\(Self.quoted(value))")
  }

  package mutating func add(_ name: String, _ value: Int) {
    members.append("\(Self.quoted(name)):\(value)")
  }

  package mutating func add(_ name: String, _ value: Double) {
    members.append("\(Self.quoted(name)):\(value)")
  }

  package mutating func add(_ name: String, _ value: Bool) {
    members.append("\(Self.quoted(name)):\(value)")
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\":
        quoted += "\\"
        quoted.unicodeScalars.append(scalar)
      case _ where !OutsideText.isPrintable(scalar):
        for unit in String(Character(scalar)).utf16 {
          let digits = String(unit, radix: 16)
          quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      default:
        quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
