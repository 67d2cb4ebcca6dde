#if !canImport(Darwin)
  /// The signals of all threads of the process, as proc(5) shows them.
  enum ThreadSignalMasks {
    /// Returns true if the signal is pending for a single thread, which blocks it.
    ///
    /// Dispatch's handler passes every signal to Dispatch's own thread, where it waits for a source
    /// to read it. Without a source, it waits forever.
    static func isPending(_ signal: JobControlSignal) -> Bool {
      masks("SigPnd").contains { $0 & signal.bit != 0 }
    }

    /// Returns true if there is no thread on which a handler of the signal could run.
    static func isBlockedEverywhere(_ signal: JobControlSignal) -> Bool {
      masks("SigBlk").allSatisfy { $0 & signal.bit != 0 }
    }

    private static func masks(_ name: String) -> [UInt64] {
      ProcessFiles.names(in: "/proc/self/task").compactMap {
        ProcessFiles.mask(name, in: "/proc/self/task/\($0)/status")
      }
    }
  }
#endif
