package import ReactiveLifecycle

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

extension JSONLine {
  /// Returns one line for an event, and one for the background stay that it ends, if any.
  package static func text(of event: LifecycleEvent) -> String {
    var line = JSONLine(type: "event")
    line.add("kind", event.kind.rawValue)
    line.add("phase", event.phase.rawValue)
    line.add("sequence", event.sequenceNumber)
    line.add("origin", event.origin.word)
    return line.text + (event.backgroundStay.map(text) ?? "")
  }

  package static func text(of input: SuppressedInput) -> String {
    var line = JSONLine(type: "suppressed")
    line.add("kind", input.kind.rawValue)
    line.add("reason", input.reason.rawValue)
    return line.text
  }

  private static func text(of stay: BackgroundStay) -> String {
    var line = JSONLine(type: "stay")
    line.add("seconds", stay.timeAway.secondsInMilliseconds)
    line.add("asleepSeconds", stay.timeAsleep.secondsInMilliseconds)
    return line.text
  }
}

extension LifecycleEvent.Origin {
  /// The origin without the name of its source.
  fileprivate var word: String {
    if case .source = self { "source" } else { description }
  }
}
