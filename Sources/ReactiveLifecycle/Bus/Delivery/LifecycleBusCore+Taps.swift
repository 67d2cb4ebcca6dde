import LifecycleSupport
import Synchronization

/// The taps of the bus, and what is noted for them from outside the lock.
extension LifecycleBusCore {
  package func addTap(_ tap: any BusTap) {
    let now = clock.now
    machine.withLock {
      $0.addTap(tap, at: now)
      tapIndicator.set(true)
    }
  }

  package func removeTap(_ tap: any BusTap) {
    machine.discard { machine in
      defer { tapIndicator.set(!machine.taps.isEmpty) }
      return machine.removeTap(tap)
    }
  }

  /// Notes that an observer has joined. Called by the thread that registers it, before it is called
  /// here.
  func noteJoining(of row: ObserverRow) {
    // The owner of a row is looked at outside the lock: it may be released then.
    guard tapIndicator.isOn, row.isListed else { return }
    let location = row.location
    let now = clock.now
    machine.withLock { $0.noteJoining(of: row, location, at: now) }
  }

  // MARK: Features above the core

  /// The present instant, for the notes of a feature; nil if the bus has no taps, and nothing is to
  /// be noted.
  package var instantForTaps: LifecycleInstant? {
    tapIndicator.isOn ? clock.now : nil
  }

  /// Returns a number for an activity, which no other activity of the bus has.
  package func makeActivityID() -> Int {
    lastActivity.add(1, ordering: .relaxed).newValue
  }

  /// Notes a change of an activity. May be called with a lock of the feature held.
  package func note(_ activity: BusActivity, at instant: LifecycleInstant) {
    machine.withLock { $0.taps.note(BusRecord(.activity(activity), at: instant)) }
  }
}
