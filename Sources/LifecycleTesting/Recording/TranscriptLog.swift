import LifecycleSupport

/// A transcript that several recorders write to, on any thread.
final class TranscriptLog: Sendable {
  private struct State {
    var lines: [LifecycleTranscript.Line] = []
    var takenCount = 0
    /// The properties that changed and were not read, in the order of their changes.
    var unread: [any UnreadChanges] = []
  }

  private let state = Locked(State())

  var transcript: LifecycleTranscript {
    readChanges()
    return LifecycleTranscript(state.withLock { $0.lines })
  }

  /// Appends a line, after the changes that happened before.
  func append(_ line: LifecycleTranscript.Line) {
    readChanges()
    state.withLock { $0.lines.append(line) }
  }

  /// Returns the lines that were not taken yet.
  func take() -> LifecycleTranscript {
    readChanges()
    return state.withLock { state in
      let rest = state.lines.dropFirst(state.takenCount)
      state.takenCount += rest.count
      return LifecycleTranscript(Array(rest))
    }
  }

  func addUnread(_ changes: any UnreadChanges) {
    state.discard { state in
      let old = state.unread
      state.unread = old.filter { $0 !== changes } + [changes]
      return old
    }
  }

  /// Drops the changes of recorders that were cancelled, which are not read.
  func dropCancelled() {
    let cancelled = state.withLock { $0.unread }.filter(\.isCancelled)
    guard !cancelled.isEmpty else { return }
    state.discard { state in
      let old = state.unread
      state.unread = old.filter { one in !cancelled.contains { $0 === one } }
      return old
    }
  }

  /// Reads the properties that have changed, for a task that waits for it, on the main actor.
  func readChangesLater() {
    guard state.withLock({ !$0.unread.isEmpty }) else { return }
    Task { @MainActor in readChanges() }
  }

  /// Reads the properties that have changed, which appends a line for each.
  func readChanges() {
    let unread = state.withLock { state in
      defer { state.unread = [] }
      return state.unread
    }
    let rest = unread.filter { !$0.readChange() }
    guard !rest.isEmpty else { return }
    state.discard { state in
      let later = state.unread
      state.unread = rest + later.filter { one in !rest.contains { $0 === one } }
      return later
    }
  }
}
