#if os(Linux)
  import LifecycleSources

  /// The watch of one level.
  final class PressureWatch: ProcessWatch {
    private let level: MemoryPressureLevel
    private let feed: PressureFeed

    init(_ level: MemoryPressureLevel, _ feed: PressureFeed) {
      self.level = level
      self.feed = feed
    }

    var interest: ProcessWatchInterest { feed.interest(of: level) }

    func handle(_ moment: ProcessWatchMoment) {
      if case .ready(let events) = moment { feed.handle(level, events) }
    }
  }
#endif
