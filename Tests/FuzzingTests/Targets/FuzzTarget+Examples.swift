import Foundation
import LocationReminder
import ProgramReporting
import ReactiveLifecycle

@testable import FeedRefresher

extension FuzzTarget {
  /// What is typed on a command line: numbers, seconds, places, and text that is printed.
  static let arguments = FuzzTarget("arguments") { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    return numberFault(text) ?? placeFault(text) ?? printingFault(text)
  }

  private static func numberFault(_ text: String) -> String? {
    if let number = PlainNumber.parse(text) {
      guard number.isFinite, text.utf8.allSatisfy({ "+-.0123456789".utf8.contains($0) }) else {
        return "the number \(number)"
      }
    }
    do throws(PlainNumber.Problem) {
      let number = try PlainNumber.parse(text, in: 0.5...1000)
      guard (0.5...1000).contains(number) else { return "the number \(number)" }
    } catch {
      guard error.description == "Specify a number from 0.5 to 1000." else { return "\(error)" }
    }
    guard let seconds = try? WholeSeconds.parse(text) else { return nil }
    return (1...1_000_000_000).contains(seconds) ? nil : "\(seconds) seconds"
  }

  private static func placeFault(_ text: String) -> String? {
    guard let place = Position(text) else { return nil }
    guard abs(place.latitude) <= 90, abs(place.longitude) <= 180 else { return "\(place)" }
    // Half of the earth's circumference.
    let distance = place.distance(to: Position(latitude: 48.8584, longitude: 2.2945))
    return (0...20_015_200).contains(distance) ? nil : "a distance of \(distance) m"
  }

  private static func printingFault(_ text: String) -> String? {
    let line = OutsideText.line(text)
    for printed in [line, OutsideText.line(text, limit: 3)] {
      let isSafe = printed.unicodeScalars.allSatisfy { isPrintable($0) }
      guard isSafe else { return "control characters in \(printed.debugDescription)" }
    }
    let lines = OutsideText.lines(text).unicodeScalars
    guard lines.allSatisfy({ $0 == "\n" || isPrintable($0) }),
      lines.count(where: { $0 == "\n" }) == text.unicodeScalars.count(where: { $0 == "\n" })
    else { return "other lines" }
    // Longer text may be cut again.
    guard text.unicodeScalars.count <= 16 else { return nil }
    return OutsideText.line(line) == line ? nil : "escaped twice: \(line)"
  }

  private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069: false
    default: true
    }
  }
}

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

extension FuzzTarget {
  /// A document in RSS or Atom.
  static let feed = FuzzTarget("feed") { bytes in
    do throws(FeedProblem) {
      let feed = try Feed(Data(bytes))
      guard !feed.entries.contains(where: \.id.isEmpty) else {
        return "an entry without an identifier"
      }
    } catch {
      let isLine = !error.description.contains { $0.isNewline }
      guard isLine else { return "a message of several lines: \(error)" }
    }
    return nil
  }
}
