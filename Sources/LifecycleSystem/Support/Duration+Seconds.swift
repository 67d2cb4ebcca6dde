extension Duration {
  /// Parses the text that `Duration.text` returns, such as `-0.25 s`; nil if it is none.
  init?(seconds text: some StringProtocol) {
    guard text.hasSuffix(" s") else { return nil }
    var digits = text.dropLast(2)
    let isNegative = digits.first == "-"
    if isNegative { digits.removeFirst() }
    let parts = digits.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let fraction = parts.count > 1 ? parts[1] : "0"
    guard
      let isNumber = parts.first?.allSatisfy(\.isASCIIDigit), isNumber,
      let seconds = Int64(parts[0]), let rest = Int64(fraction), fraction.count <= 18,
      fraction.allSatisfy(\.isASCIIDigit)
    else { return nil }
    var scaled = rest
    for _ in fraction.count..<18 { scaled *= 10 }
    let value = Duration(secondsComponent: seconds, attosecondsComponent: scaled)
    self = isNegative ? .zero - value : value
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}
