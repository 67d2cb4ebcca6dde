#if os(Linux)
  import LifecycleSources
  import LifecycleSupport

  /// The watch of one level.
  final class PressureWatch: ProcessWatch {
    private let level: MemoryPressureLevel
    private let feed: PressureFeed
    /// The number of the place whose descriptor is polled.
    private let place = Locked(0)

    init(_ level: MemoryPressureLevel, _ feed: PressureFeed) {
      self.level = level
      self.feed = feed
    }

    var interest: ProcessWatchInterest {
      let (interest, number) = feed.interest(of: level)
      place.withLock { $0 = number }
      return interest
    }

    func handle(_ moment: ProcessWatchMoment) {
      guard case .ready(let events) = moment else { return }
      feed.handle(level, events, from: place.withLock { $0 })
    }
  }
#endif
