import ArgumentParser
import Foundation
import LifecycleCombine
import LifecycleCore
import TestSupport

/// Drives a bus on the system's clocks by the lines of its standard input, until that ends.
///
/// `now` prints this moment. `send KIND` sends an input that happens now, `send KIND INSTANT` one that
/// happened then. An instant is the nanoseconds on three clocks: `CONTINUOUS SUSPENDING WALL`. Each
/// stay is printed as `stay DURATION ASLEEP WALLCLOCKSHIFT`, in nanoseconds, and after that what became
/// of the input.
struct Stay: ParsableCommand {
  func run() {
    let clock = SystemLifecycleClock()
    let bus = NonisolatedLifecycleBus(clock: clock)
    let stays = bus.backgroundStays.sink { @Sendable in
      printLine("stay \(nanoseconds([$0.timeAway, $0.timeAsleep, $0.wallClockShift]))")
    }
    printLine("ready")
    while let line = readLine() {
      let words = line.split(separator: " ").map(String.init)
      if words == ["now"] {
        let now = clock.now
        printLine("now \(nanoseconds(now.readings))")
      } else if words.count >= 2, words[0] == "send" {
        printLine("\(bus.send(.init(rawValue: words[1]), at: instant(words.dropFirst(2))))")
      } else {
        printLine("not understood: \(line)")
      }
    }
    stays.cancel()
  }

  private func instant(_ words: ArraySlice<String>) -> LifecycleInstant? {
    let readings = words.compactMap(Int64.init).map(Duration.nanoseconds)
    return readings.count == 3 ? LifecycleInstant(readings) : nil
  }
}

private func nanoseconds(_ durations: [Duration]) -> String {
  durations.map { duration in
    let (seconds, attoseconds) = duration.components
    return "\(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)"
  }.joined(separator: " ")
}
