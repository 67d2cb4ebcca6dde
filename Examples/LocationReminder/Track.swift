/// What a receiver has recorded: one fix for each moment at which it knew where it was.
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

  /// In the order of their times, which differ.
  package private(set) var fixes: [Fix] = []
  /// How many sentences had a wrong checksum or none, or were no sentences.
  package private(set) var skippedSentences = 0

  package init(fixes: [Fix] = []) {
    self.fixes = fixes
  }

  /// How long it is from the first fix to the last.
  package var duration: Duration { fixes.last?.time ?? .zero }
}

extension Track {
  /// Reads NMEA 0183.
  ///
  /// The position is taken from the sentences GGA, RMC and GLL of any talker; those of the same moment
  /// are one fix, whose position the first of them gives. Sentences know the time of the day alone:
  /// after midnight it goes on. A fix that is up to a minute older than the one before belongs to
  /// what has passed, and is left out; at a longer way back, as where a second recording was appended,
  /// the track goes on after a second.
  ///
  /// - Parameter bytes: Lines that end with LF, CR or both; empty ones, and comments after `#`, do not
  ///   count. What comes before a `$` or `!`, such as the time of a log, is passed over.
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

  /// What each `$` or `!` begins: two of them on a line are a sentence that was cut short, and the
  /// next. A line with neither is the rest of one that has lost its beginning.
  private static func sentences(of line: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    let isStart = { (byte: UInt8) in byte == UInt8(ascii: "$") || byte == UInt8(ascii: "!") }
    guard let first = line.first(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0 }),
      first != UInt8(ascii: "#")
    else { return [] }
    let parts = line.split(omittingEmptySubsequences: false, whereSeparator: isStart)
    return parts.count == 1 ? [[]] : Array(parts.dropFirst())
  }
}

/// Makes times that only go on of times of the day.
private struct TrackClock {
  private static let day = 86_400_000
  private var last: (timeOfDay: Int, time: Int)?

  /// The milliseconds since the first fix; nil for a moment that there was already.
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
