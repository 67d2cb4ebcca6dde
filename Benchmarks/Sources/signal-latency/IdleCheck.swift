import Glibc

/// Counts how often a process wakes up that has nothing to do.
struct IdleCheck {
  /// Longer than the 5 s for which libdispatch keeps a thread without work.
  private static let settlingTime: Int64 = 6_000_000_000
  /// When to give up waiting for quiet.
  private static let longestWait: Int64 = 30_000_000_000
  private static let samplingInterval: UInt32 = 250_000

  /// What was seen of a process.
  struct Result {
    let peer: Peer
    let place: String
    let seconds: Int
    let switches: Int
    let processorTime: Int

    /// Whether it slept all the time.
    var isQuiet: Bool { switches == 0 && processorTime == 0 }

    /// The result in one line.
    var text: String {
      let rate = Double(switches) / Double(seconds)
      return
        "\(peer.title), \(place): \(switches) context switches and \(processorTime / 1_000) µs "
        + "of processor time in \(seconds) s, \(rate) a second"
    }
  }

  let seconds: Int

  /// Looks at children that are all in the same place. Those that never settle are measured as
  /// they are.
  func run(_ children: [Child], place: String, isSettling: Bool) throws -> [Result] {
    if isSettling { try settle(children) }
    let before = try children.map { try ThreadActivity(of: $0.processID) }
    sleepUntil(monotonicNanoseconds() + Int64(seconds) * 1_000_000_000)
    return try zip(children, before).map { child, before in
      let after = try ThreadActivity(of: child.processID)
      try child.expectSilence(round: 0)
      return Result(
        peer: child.peer,
        place: place,
        seconds: seconds,
        switches: after.switches(since: before),
        processorTime: after.processorTime(since: before)
      )
    }
  }

  /// Waits until nothing has happened for longer than libdispatch keeps its threads.
  private func settle(_ children: [Child]) throws {
    let start = monotonicNanoseconds()
    var last = try children.map { try ThreadActivity(of: $0.processID) }
    var quietSince = start
    while monotonicNanoseconds() - quietSince < Self.settlingTime,
      monotonicNanoseconds() - start < Self.longestWait
    {
      usleep(Self.samplingInterval)
      let now = try children.map { try ThreadActivity(of: $0.processID) }
      if now != last { quietSince = monotonicNanoseconds() }
      last = now
    }
  }

  private func sleepUntil(_ end: Int64) {
    while monotonicNanoseconds() < end {
      usleep(useconds_t(min(end - monotonicNanoseconds(), 500_000_000) / 1_000 + 1))
    }
  }
}
