#if os(Linux)
  import LifecycleSources

  extension ProcessThread {
    /// Adds watches, and returns the closure that removes and closes them.
    ///
    /// - Parameters:
    ///   - watches: The watches of one source.
    ///   - close: Closes what they use, also if one of them can't be added.
    static func run(
      _ watches: [any ProcessWatch],
      close: @escaping @Sendable () -> Void
    ) throws(ProcessSignalSource.StartError) -> @Sendable () -> Void {
      let stop: @Sendable () -> Void = {
        guard !isForkedChild else { return }
        for watch in watches { remove(watch) }
        close()
      }
      do throws(ProcessSignalSource.StartError) {
        for watch in watches { try add(watch) }
      } catch {
        stop()
        throw error
      }
      return stop
    }
  }
#endif
