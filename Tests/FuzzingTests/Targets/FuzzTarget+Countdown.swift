import Foundation
import LifecycleCountdowns
import LifecycleTesting
import ReactiveLifecycle

extension FuzzTarget {
  /// The record of a countdown as JSON, and the countdown that continues from it.
  static let countdownRecord = FuzzTarget("countdown-record") { bytes in
    guard let record = try? JSONDecoder().decode(Countdown.Record.self, from: Data(bytes)) else {
      return nil
    }
    guard let encoded = try? JSONEncoder().encode(record),
      let again = try? JSONDecoder().decode(Countdown.Record.self, from: encoded), again == record
    else { return "another record when read again" }
    let clock = ManualClock()
    let bus = NonisolatedLifecycleBus(clock: clock)
    let countdown = Countdown(restoring: record, of: bus)
    let limit = max(record.remaining, .zero).clamped + .nanoseconds(1)
    guard countdown.remaining >= .zero, countdown.remaining <= limit else {
      return "\(countdown.remaining) of \(record.remaining) left"
    }
    for step in [countdown.pause, countdown.resume, countdown.start, countdown.restart] {
      step()
      clock.advance(by: .milliseconds(10))
      countdown.extend(by: .seconds(1))
      guard countdown.remaining >= .zero else { return "\(countdown.remaining) left" }
      let kept = countdown.record
      // The same clock, and the same boot: no time passes, and none is gained.
      let restored = Countdown(restoring: kept, of: bus)
      let difference = restored.remaining - countdown.remaining
      guard difference.magnitude <= .nanoseconds(1) else {
        return "\(restored.remaining) of \(countdown.remaining) left"
      }
    }
    return nil
  }
}

extension Duration {
  fileprivate var magnitude: Duration { self < .zero ? .zero - self : self }
}
