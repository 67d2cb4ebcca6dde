import Foundation
import LocationReminder
import ReactiveLifecycle

extension FuzzTarget {
  /// A track in NMEA 0183.
  static let nmea = FuzzTarget("nmea") { bytes in
    // What a receiver sends has its checksum, which no search finds.
    for input in [bytes, withChecksums(bytes)] {
      let track = Track(nmea: input)
      if let fault = fault(of: track) { return fault }
    }
    return nil
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
}
