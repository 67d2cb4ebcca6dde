import LifecycleSupport
import ReactiveLifecycle

/// The saved values that wait for the journal's turn in an event.
///
/// Their observers, which receive the event first, add them; the journal then asks for all of them
/// and writes them in one record.
final class SavedValueQueue: Sendable {
  private struct State {
    var waiting: [SavedValue] = []
    var running: SavedValue?
  }

  private let state = Locked(State())

  func append(_ value: SavedValue) {
    state.withLock { $0.waiting.append(value) }
  }

  func removeAll() {
    state.discard { state in
      defer { state.waiting = [] }
      return state.waiting
    }
  }

  /// The location that registered the value that is being asked for.
  var runningLocation: LifecycleObserverLocation? {
    state.withLock { $0.running }?.location
  }

  /// Asks for the values that wait, without a lock, and removes them.
  ///
  /// Of several values under one key, only the newest is asked for. A value that can't be encoded
  /// is left out, which is reported where it was registered.
  func takeChanges() -> [SavedValueChange] {
    let waiting = state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
    if waiting.isEmpty { return [] }
    var keys: Set<String> = []
    var changes: [SavedValueChange] = []
    // The newest was added first: downward transitions are delivered in reverse order.
    for value in waiting where value.isProvided && keys.insert(value.key).inserted {
      state.discard { state in
        defer { state.running = value }
        return state.running
      }
      do throws(LifecycleJournal.WriteError) {
        changes.append(SavedValueChange(value: value, bytes: try value.encoded()))
      } catch {
        value.report(error)
      }
    }
    state.discard { $0.running.take() }
    return changes
  }
}
