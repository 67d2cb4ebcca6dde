extension NMEASentence {
  /// A position, and the millisecond of the day at which the receiver was there.
  struct Fix: Hashable {
    var position: Position
    var timeOfDay: Int
  }

  /// The position in the sentence; nil if the sentence is of another kind, or reports that there is
  /// no position or that the time is not known.
  ///
  /// - Throws: `.malformed` if a field has an impossible value.
  var fix: Fix? {
    get throws(Flaw) {
      switch kind {
      case "GGA" where fields.count >= 6:
        // Quality 0 is no fix.
        guard !fields[5].isEmpty, !fields[5].elementsEqual("0".utf8) else { return nil }
        return try fix(time: fields[0], fields[1...4])
      case "RMC" where fields.count >= 6:
        guard isValid(status: 1, mode: 11) else { return nil }
        return try fix(time: fields[0], fields[2...5])
      case "GLL" where fields.count >= 5:
        guard isValid(status: 5, mode: 6) else { return nil }
        return try fix(time: fields[4], fields[0...3])
      case "GLL" where fields.count == 4: return nil  // before version 2, and without a time
      case "GGA", "RMC", "GLL": throw .malformed
      default: return nil
      }
    }
  }

  /// Returns whether the receiver reports the position as valid: status `A`, and a mode other than
  /// `N`. Old versions of the standard have fewer fields.
  private func isValid(status: Int, mode: Int) -> Bool {
    let isActive = fields.count <= status || fields[status].elementsEqual("A".utf8)
    return isActive && !(fields.count > mode && fields[mode].elementsEqual("N".utf8))
  }

  private func fix(
    time: ArraySlice<UInt8>,
    _ place: ArraySlice<ArraySlice<UInt8>>
  ) throws(Flaw) -> Fix? {
    let place = Array(place)
    guard !time.isEmpty, !place.contains(where: \.isEmpty) else { return nil }
    guard let timeOfDay = milliseconds(time),
      let latitude = degrees(place[0], place[1], "N", "S", atMost: 90),
      let longitude = degrees(place[2], place[3], "E", "W", atMost: 180)
    else { throw .malformed }
    return Fix(
      position: Position(latitude: latitude, longitude: longitude),
      timeOfDay: timeOfDay
    )
  }

  /// Reads `hhmmss` or `hhmmss.sss`.
  private func milliseconds(_ field: ArraySlice<UInt8>) -> Int? {
    guard let seconds = number(field, wholeDigits: 6...6) else { return nil }
    let milliseconds = Int((seconds * 1000).rounded())
    let (hour, rest) = milliseconds.quotientAndRemainder(dividingBy: 10_000_000)
    let (minute, second) = rest.quotientAndRemainder(dividingBy: 100_000)
    // A minute may have a leap second.
    guard hour < 24, minute < 60, second < 61_000 else { return nil }
    return (hour * 60 + minute) * 60_000 + second
  }

  /// Reads `ddmm.mmmm`; all digits before the two of the minutes belong to the degrees.
  private func degrees(
    _ field: ArraySlice<UInt8>,
    _ side: ArraySlice<UInt8>,
    _ positive: String,
    _ negative: String,
    atMost limit: Double
  ) -> Double? {
    guard let number = number(field, wholeDigits: 3...5) else { return nil }
    let whole = (number / 100).rounded(.down)
    let minutes = number - whole * 100
    let degrees = whole + minutes / 60
    guard minutes < 60, degrees <= limit else { return nil }
    if side.elementsEqual(positive.utf8) { return degrees }
    return side.elementsEqual(negative.utf8) ? -degrees : nil
  }

  private func number(_ field: ArraySlice<UInt8>, wholeDigits: ClosedRange<Int>) -> Double? {
    let parts = field.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let isDigit = { (byte: UInt8) in (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    guard parts.count <= 2, wholeDigits.contains(parts[0].count),
      parts.allSatisfy({ $0.allSatisfy(isDigit) })
    else { return nil }
    return Double(String(decoding: field, as: UTF8.self))
  }
}
