import Foundation
import LifecycleCombine
import LifecycleCountdowns
import LifecycleJournaling
import LifecycleTesting
import ReactiveLifecycle

/// A rental on a screen.
@MainActor
final class RentalSample {
  let clock = ManualClock()
  let bus: LifecycleBus
  let scope = LifecycleScope("screen")
  private(set) var shown: [Int] = []
  private(set) var rental: Countdown?

  init() {
    bus = LifecycleBus(clock: clock)
    bus.send(.didBecomeActive)
    let rental = Countdown(.seconds(300), of: bus)
    rental.states.sink { state in show(state.remaining) }.store(in: scope)
    rental.start()  // 300, 299, …
    self.rental = rental
    func show(_ remaining: Duration) {
      shown.append(Int(remaining / .seconds(1)))
    }
  }
}

/// Follows a countdown to its end; returns what it showed.
@MainActor
func followedCountdown(_ rental: Countdown) async -> [Duration] {
  var shown: [Duration] = []
  func show(_ remaining: Duration) {
    shown.append(remaining)
  }
  for await state in rental.states.asyncSequence() {
    show(state.remaining)
    if state.status == .finished { break }
  }
  return shown
}

/// Stores a countdown, and goes on with it in what stands for the next process.
@MainActor
func restoredCountdown(_ rental: Countdown, on bus: LifecycleBus) throws -> Countdown {
  let stored = try JSONEncoder().encode(rental.record)
  // In the next process:
  let record = try JSONDecoder().decode(Countdown.Record.self, from: stored)
  let restored = Countdown(restoring: record, of: bus)
  return restored
}

/// A rental that goes on where a process before this one was killed.
@MainActor
func keptRental(in path: String, on bus: LifecycleBus) throws -> (Countdown, LifecycleJournal) {
  let journal = try LifecycleJournal(at: path, of: bus)
  let record = try journal.value(Countdown.Record.self, forKey: "rental")
  let rental = record.map { Countdown(restoring: $0, of: bus) } ?? Countdown(.seconds(300), of: bus)
  rental.start()
  try journal.set(rental.record, forKey: "rental")
  return (rental, journal)
}
