public import ReactiveLifecycle

/// Expects that nobody observes a bus any more, so that nothing was leaked.
///
/// ```swift
/// screen = nil
/// expectNoLiveSubscriptions(of: bus)
/// ```
///
/// Each subscription that is left is named by the file and line that made it, and its scope, and fails
/// the test at the caller's line. Any thread.
///
/// A `sink` is named by less: by its line if its publisher is `publisher(for:)`, and by nothing if its
/// publisher is a property, such as `events`. `AnyCancellable` is opaque, so its scope is not known. To find
/// such a leak, subscribe to `publisher(for: .all)` instead of `events`, or observe with `addObserver(in:)` or
/// `onReturn(in:)`, which name their line and their scope.
///
/// - Parameter bus: Whose subscriptions are meant. Recorders of its publishers are among them.
public func expectNoLiveSubscriptions(
  of bus: some LifecycleBusProtocol,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) {
  let live = bus.liveSubscriptions
  guard !live.isEmpty else { return }
  TestFailures.report(
    """
    \(live.count == 1 ? "1 subscription" : "\(live.count) subscriptions") of the bus \
    \(live.count == 1 ? "is" : "are") still live:

    \(live.list)
    """,
    at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
  )
}

/// Expects that nobody observes the bus of the process any more but what the lifecycle itself records,
/// which it ends first.
///
/// ```swift
/// screen = nil
/// expectNoLiveSubscriptions(of: lifecycle)
/// ```
///
/// - Parameter lifecycle: The process. Its recorders record no more of it, but for those of closures.
public func expectNoLiveSubscriptions(
  of lifecycle: LifecycleScript<some LifecycleBusProtocol>,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) {
  lifecycle.endRecordings()
  expectNoLiveSubscriptions(
    of: lifecycle.bus,
    fileID: fileID,
    filePath: filePath,
    line: line,
    column: column
  )
}

extension [LiveSubscription] {
  /// A line each, in order; those that say the same have one together.
  var list: String {
    var counts: [LiveSubscription: Int] = [:]
    for subscription in self { counts[subscription, default: 0] += 1 }
    var lines: [String] = []
    for subscription in self {
      guard let count = counts.removeValue(forKey: subscription) else { continue }
      let times = count > 1 ? " ×\(count)" : ""
      lines.append("  • \(subscription.location), for \(subscription.age.text)\(times)")
    }
    if contains(where: { $0.location.fileID == nil }) {
      lines += [
        "",
        """
        A subscriber of a publisher that is a property, such as events, can't say where it was made, nor in \
        which scope its AnyCancellable is stored. To find it, observe with addObserver(in:) or \
        onReturn(in:), which name their line and their scope, or with publisher(for: .all), which names \
        its line.
        """,
      ]
    }
    return lines.joined(separator: "\n")
  }
}
