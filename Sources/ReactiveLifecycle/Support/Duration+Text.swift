extension Duration {
  /// The duration in seconds, exact to the attosecond: `-0.25 s`.
  package var text: String {
    let (seconds, attoseconds) = components
    let digits = String(attoseconds.magnitude)
    var fraction = String(repeating: "0", count: 18 - digits.count) + digits
    while fraction.last == "0" { fraction.removeLast() }
    let sign = self < .zero ? "-" : ""
    return "\(sign)\(seconds.magnitude)\(fraction.isEmpty ? "" : ".")\(fraction) s"
  }
}
