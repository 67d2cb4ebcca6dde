/// The recording of a receiver: one fix for each moment at which its position was known.
package struct Track: Hashable, Sendable {
  package struct Fix: Hashable, Sendable {
    package var position: Position
    /// The time since the first fix of the track.
    package var time: Duration

    package init(position: Position, time: Duration) {
      self.position = position
      self.time = time
    }
  }

  /// The fixes in the order of their times, which are all different.
  package private(set) var fixes: [Fix] = []
  /// The number of sentences that had a wrong checksum or none, or were not sentences.
  package private(set) var skippedSentences = 0

  package init(fixes: [Fix] = []) {
    self.fixes = fixes
  }

  /// The time from the first fix to the last.
  package var duration: Duration { fixes.last?.time ?? .zero }
}

extension Track {
  /// Reads NMEA 0183.
  ///
  /// The position is taken from the sentences GGA, RMC and GLL of any talker; those of the same
  /// moment are one fix, whose position the first of them gives. Sentences contain only the time of
  /// day, which is continued after midnight. A fix that is up to a minute older than the previous
  /// one belongs to the past and is left out; after a longer step back, for example where a second
  /// recording was appended, the track continues one second later.
  ///
  /// - Parameter bytes: Lines that end with LF, CR or both. Empty lines, and comments after `#`,
  ///   are ignored. Characters before a `$` or `!`, such as the time of a log, are skipped.
  package init(nmea bytes: [UInt8]) {
    var clock = TrackClock()
    for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      for sentence in Self.sentences(of: line) {
        do throws(NMEASentence.Flaw) {
          guard let fix = try NMEASentence(sentence).fix else { continue }
          guard let time = clock.time(of: fix.timeOfDay) else { continue }
          fixes.append(Fix(position: fix.position, time: .milliseconds(time)))
        } catch {
          skippedSentences += 1
        }
      }
    }
  }

  /// Returns the part of a line that each `$` or `!` begins. Two of them on a line are a sentence
  /// that was cut short, and the next one. A line with neither is the rest of one whose beginning
  /// is missing.
  private static func sentences(of line: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    let isStart = { (byte: UInt8) in byte == UInt8(ascii: "$") || byte == UInt8(ascii: "!") }
    guard let first = line.first(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0 }),
      first != UInt8(ascii: "#")
    else { return [] }
    let parts = line.split(omittingEmptySubsequences: false, whereSeparator: isStart)
    return parts.count == 1 ? [[]] : Array(parts.dropFirst())
  }
}

/// Converts times of day to times that only increase.
private struct TrackClock {
  private static let day = 86_400_000
  private var last: (timeOfDay: Int, time: Int)?

  /// Returns the milliseconds since the first fix; nil for a moment that has already occurred.
  mutating func time(of timeOfDay: Int) -> Int? {
    guard let last else {
      last = (timeOfDay, 0)
      return 0
    }
    var step = (timeOfDay - last.timeOfDay) % Self.day
    if step > Self.day / 2 { step -= Self.day }
    if step <= -Self.day / 2 { step += Self.day }
    guard step > 0 || step < -60_000 else { return nil }
    let time = last.time + (step > 0 ? step : 1000)
    self.last = (timeOfDay, time)
    return time
  }
}
