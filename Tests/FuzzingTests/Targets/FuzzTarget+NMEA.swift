import Foundation
import LocationReminder
import ReactiveLifecycle

extension FuzzTarget {
  /// A track in NMEA 0183, and one that is made of the same bytes.
  static let nmea = FuzzTarget("nmea") { bytes in
    // What a receiver sends has its checksum, which no search finds.
    for input in [bytes, withChecksums(bytes)] {
      let track = Track(nmea: input)
      if let fault = fault(of: track) { return fault }
    }
    return modelFault(FuzzChoices(bytes))
  }

  private static func fault(of track: Track) -> String? {
    var last: Duration?
    for fix in track.fixes {
      guard last.map({ $0 < fix.time }) ?? (fix.time == .zero) else { return "\(fix.time)" }
      guard abs(fix.position.latitude) <= 90, abs(fix.position.longitude) <= 180 else {
        return "\(fix.position)"
      }
      last = fix.time
    }
    return nil
  }

  /// Replaces the two bytes after each asterisk with the checksum of the sentence.
  private static func withChecksums(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    var sum: UInt8 = 0
    for index in bytes.indices {
      switch bytes[index] {
      case UInt8(ascii: "$"), UInt8(ascii: "!"): sum = 0
      case UInt8(ascii: "*") where index + 2 < bytes.count:
        let digits = Array((sum < 16 ? "0" : "") + String(sum, radix: 16, uppercase: true))
        for (offset, digit) in digits.enumerated() {
          bytes[index + 1 + offset] = digit.asciiValue ?? 0
        }
      default: sum ^= bytes[index]
      }
    }
    return bytes
  }

  private static func modelFault(_ choices: FuzzChoices) -> String? {
    var choices = choices
    var time = choices.number(below: 86_400_000)
    let start = time
    var text = ""
    var fixes: [Track.Fix] = []
    while !choices.isEmpty, fixes.count < 16 {
      // In units of a ten thousandth of a minute.
      let latitude = choices.number(below: 2 * 54_000_000 + 1) - 54_000_000
      let longitude = choices.number(below: 2 * 108_000_000 + 1) - 108_000_000
      let position = Position(
        latitude: Double(latitude) / 600_000,
        longitude: Double(longitude) / 600_000
      )
      fixes.append(Track.Fix(position: position, time: .milliseconds(time - start)))
      let place =
        "\(angle(latitude, digits: 2)),\(latitude < 0 ? "S" : "N"),"
        + "\(angle(longitude, digits: 3)),\(longitude < 0 ? "W" : "E")"
      text += sentence(choices.number(), time: timeOfDay(time % 86_400_000), place: place)
      time += 1 + choices.number(below: 43_000_000)
    }
    let track = Track(nmea: Array(text.utf8))
    let isSame = track.fixes.elementsEqual(fixes) { found, made in
      found.time == made.time && abs(found.position.latitude - made.position.latitude) < 1e-9
        && abs(found.position.longitude - made.position.longitude) < 1e-9
    }
    return isSame && track.skippedSentences == 0 ? nil : "\(track) instead of \(fixes)"
  }

  private static func sentence(_ kind: UInt8, time: String, place: String) -> String {
    let content =
      switch kind % 3 {
      case 0: "GPGGA,\(time),\(place),1,08,0.9,35.0,M,46.9,M,,"
      case 1: "GNRMC,\(time),A,\(place),022.4,084.4,230394,003.1,W"
      default: "GPGLL,\(place),\(time),A,A"
      }
    let sum = String(content.utf8.reduce(0, ^), radix: 16, uppercase: true)
    return "$\(content)*\(padded(sum, 2))\(["\r\n", "\n", "\r"][Int(kind / 3 % 3)])"
  }

  /// Writes `ddmm.mmmm`.
  private static func angle(_ tenThousandths: Int, digits: Int) -> String {
    let (degrees, rest) = abs(tenThousandths).quotientAndRemainder(dividingBy: 600_000)
    return "\(padded(degrees, digits))\(padded(rest / 10_000, 2)).\(padded(rest % 10_000, 4))"
  }

  /// Writes `hhmmss.sss`.
  private static func timeOfDay(_ milliseconds: Int) -> String {
    let seconds = milliseconds / 1000
    return "\(padded(seconds / 3600, 2))\(padded(seconds / 60 % 60, 2))\(padded(seconds % 60, 2))"
      + ".\(padded(milliseconds % 1000, 3))"
  }

  private static func padded(_ value: some CustomStringConvertible, _ count: Int) -> String {
    let text = value.description
    return String(repeating: "0", count: count - text.count) + text
  }
}
