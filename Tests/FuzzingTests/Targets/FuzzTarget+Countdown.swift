import Foundation
import LifecycleCore
import LifecycleCountdowns
import LifecycleTesting

extension FuzzTarget {
  /// The saved state of a countdown as JSON, and the countdown that continues from it.
  static let countdown = FuzzTarget("countdown") { bytes in
    let type = Countdown.SavedState.self
    guard let saved = try? JSONDecoder().decode(type, from: Data(bytes)) else { return nil }
    guard let encoded = try? JSONEncoder().encode(saved),
      let again = try? JSONDecoder().decode(type, from: encoded), again == saved
    else { return "another state when read again" }
    let clock = ManualClock()
    let bus = NonisolatedLifecycleBus(clock: clock)
    let countdown = Countdown(restoring: saved, of: bus)
    let limit = max(saved.remaining, .zero).clamped + .nanoseconds(1)
    guard countdown.remaining >= .zero, countdown.remaining <= limit else {
      return "\(countdown.remaining) of \(saved.remaining) left"
    }
    for step in [countdown.pause, countdown.resume, countdown.start, countdown.restart] {
      step()
      clock.advance(by: .milliseconds(10))
      countdown.extend(by: .seconds(1))
      guard countdown.remaining >= .zero else { return "\(countdown.remaining) left" }
      let kept = countdown.savedState
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
