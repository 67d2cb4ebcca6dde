import ReactiveLifecycle

extension JournalMachine {
  /// Whether the file stays locked between two writes, in a phase, if the file can be unlocked.
  ///
  /// A process that may be suspended holds no lock: iOS ends one that is suspended while it holds the
  /// lock of a file in a container that it shares with others (`0xdead10cc`, in Apple's *Understanding
  /// the exception types in a crash report*). Only in the foreground is a process not suspended there:
  /// it may be launched into the background, or ahead of time, before anything is known of its phase.
  /// Without its bus, a journal does not learn when the foreground ends.
  func keepsLock(in phase: LifecyclePhase) -> Bool {
    !hasBusEnded && phase >= .inactive
  }

  /// The process that has opened the file since it was unlocked, and recorded a run of its own; nil if
  /// none has.
  ///
  /// - Parameter contents: What the file holds.
  func newOwner(in contents: JournalContents) -> Int32? {
    let (newest, newestGeneration): (JournalRecord?, UInt64) =
      switch contents {
      case .nothing: (nil, 0)
      case .record(let record, let generation): (record, generation)
      case .damaged(_, _, let readable, let generation): (readable, generation)
      }
    guard let newest, newestGeneration > generation,
      newest.run != record.run || newest.processID != record.processID
    else { return nil }
    return newest.processID
  }
}
