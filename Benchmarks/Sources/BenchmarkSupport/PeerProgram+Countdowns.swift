extension PeerProgram {
  /// Adds a row for each number of running countdowns.
  ///
  /// - Parameters:
  ///   - form: What counts down.
  ///   - prepare: Starts so many that will not end while they are measured.
  public func addStartingCountdowns<Running>(
    _ form: String,
    prepare: @escaping (_ count: Int) -> Running,
    startAndCancel: @escaping (Running) -> Void,
    check: @escaping (Running) throws -> Void
  ) {
    for count in BenchmarkOperation.startCountdown.sizes {
      add(form, .startCountdown, size: count, operations: 100) {
        let running = prepare(count)
        return Fixture(keeping: running) { count in
          for _ in 0..<count { startAndCancel(running) }
        } check: { _ in
          try check(running)
        }
      }
    }
  }
}

/// Countdowns that should still run, and do not.
public struct CountdownsEnded: Error, CustomStringConvertible {
  /// How many.
  public var count: Int

  /// So many have ended.
  public init(count: Int) {
    self.count = count
  }

  public var description: String { "\(count) countdowns have ended that should still run" }
}
