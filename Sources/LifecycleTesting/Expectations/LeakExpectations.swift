public import LifecycleCore

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
public func expectNoLiveSubscriptions(
  of bus: some LifecycleBusProtocol,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) {
  reportLiveSubscriptions(of: bus, CallSite(fileID, filePath, line, column))
}

private func reportLiveSubscriptions(of bus: some LifecycleBusProtocol, _ site: CallSite) {
  let live = bus.diagnostics.liveSubscriptions
  guard !live.isEmpty else { return }
  TestFailures.report(
    """
    \(live.count == 1 ? "1 subscription" : "\(live.count) subscriptions") of the bus \
    \(live.count == 1 ? "is" : "are") still live:

    \(live.list)
    """,
    at: site
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
public func expectNoLiveSubscriptions(
  of lifecycle: ScriptedLifecycle,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) {
  lifecycle.endRecordings()
  reportLiveSubscriptions(of: lifecycle.bus, CallSite(fileID, filePath, line, column))
}

/// Releases an object, and expects that nothing else holds it.
///
/// ```swift
/// var viewModel: RentalViewModel? = RentalViewModel(seconds: 300, bus: bus)
/// expectReleased(&viewModel, of: bus)
/// ```
///
/// An object that stays alive, or a nil reference, fails the test at the caller's line.
///
/// - Parameters:
///   - owner: The only reference to the object; nil afterward.
///   - bus: The bus whose live subscriptions are listed if the object stays alive, as one of them
///     may hold it.
public func expectReleased<Owner: AnyObject>(
  _ owner: inout Owner?,
  of bus: (any LifecycleBusProtocol)? = nil,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) {
  let site = CallSite(fileID, filePath, line, column)
  weak let released = owner
  guard owner != nil else {
    return TestFailures.report(
      """
      There is no \(Owner.self) to release: the reference is already nil. Pass a variable that \
      holds the object.
      """,
      at: site
    )
  }
  owner = nil
  guard let leaked = released else { return }
  var sentences = ["\(type(of: leaked)) was not released: something else still holds it."]
  if let bus {
    let live = bus.diagnostics.liveSubscriptions
    sentences.append(
      live.isEmpty
        ? "The bus has no live subscriptions."
        : "It may be one of the bus's live subscriptions:\n\n\(live.list)"
    )
  }
  TestFailures.report(sentences.joined(separator: " "), at: site)
}

extension [LiveSubscription] {
  /// The subscriptions, one to a line, in order; subscriptions with equal descriptions share a
  /// line.
  fileprivate var list: String {
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
