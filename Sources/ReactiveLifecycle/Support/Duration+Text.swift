extension Duration {
  /// The duration in seconds, exact to the attosecond: `-0.25 s`.
  package var text: String {
    // Not its components, which trap beyond 2⁶³ s.
    let (seconds, rest) = attoseconds.magnitude.quotientAndRemainder(
      dividingBy: 1_000_000_000_000_000_000
    )
    let digits = String(rest)
    var fraction = String(repeating: "0", count: 18 - digits.count) + digits
    while fraction.last == "0" { fraction.removeLast() }
    let sign = self < .zero ? "-" : ""
    return "\(sign)\(seconds)\(fraction.isEmpty ? "" : ".")\(fraction) s"
  }
}
