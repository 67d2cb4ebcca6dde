public import ReactiveLifecycle

/// Expects that a bus no longer has observers, so that nothing was leaked.
///
/// ```swift
/// screen = nil
/// expectNoLiveSubscriptions(of: bus)
/// ```
///
/// Each remaining subscription fails the test at the caller's line, and is identified by its scope
/// and by the file and line that created it. Thread-safe.
///
/// A `sink` is identified less precisely: by its line if its publisher is `publisher(for:)`, and by
/// nothing if its publisher is a property, such as `events`. `AnyCancellable` is opaque, so its
/// scope is not known. To find such a leak, subscribe to `publisher(for: .all)` instead of
/// `events`, or observe with `addObserver(in:)` or `onReturn(in:)`, which report their line and
/// their scope.
///
/// - Parameter bus: The bus whose subscriptions are checked, including those of recorders of its
///   publishers.
/// - Parameter fileID: The file ID of the call site.
/// - Parameter filePath: The path of the call site's file.
/// - Parameter line: The line of the call site.
/// - Parameter column: The column of the call site.
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

/// Expects that the bus of the process no longer has observers, other than the recordings of the
/// lifecycle itself, which are ended first.
///
/// ```swift
/// screen = nil
/// expectNoLiveSubscriptions(of: lifecycle)
/// ```
///
/// - Parameter lifecycle: The process. Its recorders no longer record it, except for recorders of
///   closures.
/// - Parameter fileID: The file ID of the call site.
/// - Parameter filePath: The path of the call site's file.
/// - Parameter line: The line of the call site.
/// - Parameter column: The column of the call site.
public func expectNoLiveSubscriptions(
  of lifecycle: ScriptedLifecycle,
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
  /// The subscriptions, one to a line, in order; subscriptions with equal descriptions share a
  /// line.
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
        For a subscriber of a publisher that is a property, such as events, the bus doesn't know \
        the line that subscribed or the scope that stores its AnyCancellable. To find the \
        subscriber, observe with addObserver(in:) or onReturn(in:), which report their line and \
        scope, or with publisher(for: .all), which reports its line.
        """,
      ]
    }
    return lines.joined(separator: "\n")
  }
}
