import ReactiveLifecycle

extension JournalMachine {
  /// Returns a Boolean value that indicates whether the file, if it can be unlocked, stays locked
  /// between two writes in a phase.
  ///
  /// A process that may be suspended holds no lock: iOS ends a process that is suspended while it
  /// holds the lock of a file in a shared container (`0xdead10cc`, in Apple's *Understanding the
  /// exception types in a crash report*). There, a process is certain not to be suspended only in
  /// the foreground: it may be launched into the background, or ahead of time, before anything is
  /// known of its phase. Without its bus, a journal does not learn when the foreground ends.
  func keepsLock(in phase: LifecyclePhase) -> Bool {
    !hasBusEnded && phase >= .inactive
  }

  /// Returns the process that has opened the file since it was unlocked, and recorded another run;
  /// nil if none has.
  ///
  /// - Parameter contents: The content of the file.
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
