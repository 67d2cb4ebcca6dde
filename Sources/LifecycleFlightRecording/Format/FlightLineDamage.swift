/// The reason why a line of a file can't be read.
enum FlightLineDamage: Error, Hashable, Sendable {
  /// The problem, in words.
  case unreadable(String)
  /// It is the head of a run in a later version of the format.
  case laterVersion(Int)

  /// The problem, in words.
  var reason: String {
    switch self {
    case .unreadable(let reason): reason
    case .laterVersion(let version):
      """
      the run has version \(version) of the format, and this program reads version \
      \(FlightFormat.version): read it with a later version of swift-reactive-lifecycle
      """
    }
  }
}

extension FlightLineDamage {
  /// Returns a text in quotation marks, shortened, in one line of printable characters.
  static func quoted(_ text: some StringProtocol) -> String {
    let limit = 60
    var shown = ""
    for scalar in text.unicodeScalars.prefix(limit) {
      shown += scalar.properties.isPrintable ? String(scalar) : scalar.escaped(asASCII: true)
    }
    let isCut = text.unicodeScalars.dropFirst(limit).first != nil
    return "\"\(shown)\(isCut ? "…" : "")\""
  }
}
