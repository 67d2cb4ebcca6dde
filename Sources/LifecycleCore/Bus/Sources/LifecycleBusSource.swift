import LifecycleSupport

/// A bus that feeds another one, as `bus(_:)` makes it.
///
/// As a ``LifecycleRole/ceiling`` it is a parent: the child is never further forward than the
/// parent, even before the parent knows its phase. The end of the parent, by `willTerminate` or by
/// its release, ends the child. As ``LifecycleRole/participant(_:)`` it is a part, such as a
/// window: its end withdraws its reports. As the participant
/// ``LifecycleParticipant/application`` it is the same process, delivered elsewhere: its
/// `willTerminate` ends both, and its release withdraws its reports.
///
/// All events that it passes on have the origin `source`, including the steps that it filled in. A
/// notice such as ``LifecycleEvent/Kind/systemDidWake`` arrives once for each way from one bus to
/// another.
public struct LifecycleBusSource: LifecycleSource {
  public let name: LifecycleSourceName
  private let upstream: LifecycleBusCore
  private let site: CallSite

  init(_ upstream: LifecycleBusCore, name: LifecycleSourceName, _ site: CallSite) {
    self.upstream = upstream
    self.name = name
    self.site = site
  }

  /// Reports the upstream bus's phase, preceded by `protectedDataWillBecomeUnavailable` if protected
  /// data is unavailable there, then each of its events, where the upstream bus delivers.
  ///
  /// The phase is reported before this method returns if the upstream bus delivers here and has
  /// nothing in delivery. The reports end when the bus that is fed ends.
  ///
  /// - Throws: ``LifecycleBusCycleError`` if the bus feeds its own source.
  public func start(_ feed: LifecycleFeed) throws -> @Sendable () -> Void {
    let edge = try BusGraph.shared.connect(
      upstream,
      to: feed.core,
      endsTogether: [.ceiling, .participant(.application)].contains(feed.role)
    )
    let row = ListenerRow(
      core: upstream,
      kinds: .all,
      site: site,
      listener: BusForwarder(upstream: upstream, feed: feed),
      // While this row is being called, an observer of the bus that is fed may be running.
      locateRunning: { [weak downstream = feed.core] in downstream?.runningObserver }
    )
    // The place on the upstream bus is given up with the connection, or with the bus that is fed.
    let link = ScopeCore(name: "")
    link.admit { _ in EndAction { BusGraph.shared.disconnect(edge) } }
    link.admit { _ in row }
    feed.core.end(link, at: [], site)
    upstream.listen(row)
    return { link.end() }
  }
}

extension LifecycleSource where Self == LifecycleBusSource {
  /// Another bus, which is not kept alive.
  ///
  /// Its events arrive where it delivers, at the instants that it gives them. Both buses should use
  /// the same clock.
  ///
  /// ```swift
  /// try screen.connect(.bus(application), as: .ceiling, in: scope)
  /// ```
  ///
  /// - Parameters:
  ///   - bus: The bus that feeds the other one.
  ///   - name: The name under which it reports.
  public static func bus(
    _ bus: some LifecycleBusProtocol,
    name: LifecycleSourceName = "bus",
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Self {
    let site = CallSite(fileID, filePath, line, column)
    return LifecycleBusSource(bus.core, name: name, site)
  }
}

/// A listener that passes on the events of one bus to another.
private final class BusForwarder: BusListener {
  private let upstream: LifecycleBusCore
  private let feed: LifecycleFeed

  init(upstream: LifecycleBusCore, feed: LifecycleFeed) {
    self.upstream = upstream
    self.feed = feed
  }

  func join(at delivered: DeliveredState) {
    if !delivered.isProtectedDataAvailable {
      feed.send(.protectedDataWillBecomeUnavailable, at: delivered.instant)
    }
    switch delivered.phase {
    case .unknown:
      // A child is never further forward than a parent that may be prewarmed, or in the background.
      if feed.role == .ceiling { feed.send(.didFinishLaunching) }
    case .terminated:
      feed.send(.willTerminate, at: delivered.instant)
    case .background, .inactive, .active:
      let step = delivered.phase.upwardPath.last!
      feed.send(step.kind, at: delivered.instant)
    }
  }

  func receive(_ event: LifecycleEvent) {
    feed.send(event.kind, at: event.instant, metadata: event.metadata)
  }

  func busDidEnd() {
    guard feed.role == .ceiling else { return feed.disconnect() }
    // `willTerminate` has been passed on; after it the child's suppressed inputs continue.
    if upstream.phase != .terminated { feed.core.release() }
  }
}

/// An error that is thrown if a bus would feed itself, directly or through others.
public struct LifecycleBusCycleError: Error, Sendable, Hashable, CustomStringConvertible {
  public var description: String {
    """
    A bus can't be its own source: it already feeds, directly or through other buses, the bus that \
    was passed as its source. Connect the two in one direction only.
    """
  }
}

/// The graph of the buses that feed others. A cycle would forward a notice forever.
///
/// Buses are identified by their addresses: an edge is removed before either of its buses is
/// released.
final class BusGraph: Sendable {
  final class Edge: Sendable {
    let upstream: ObjectIdentifier
    let downstream: ObjectIdentifier
    /// The bus that is fed, if it ends with the other one.
    fileprivate weak let ending: LifecycleBusCore?

    fileprivate init(
      _ upstream: LifecycleBusCore,
      _ downstream: LifecycleBusCore,
      endsTogether: Bool
    ) {
      self.upstream = ObjectIdentifier(upstream)
      self.downstream = ObjectIdentifier(downstream)
      ending = endsTogether ? downstream : nil
    }
  }

  static let shared = BusGraph()

  /// The connections of each bus, in order of connection.
  private struct Edges {
    var toUpstreams: [ObjectIdentifier: [Edge]] = [:]
    var toDownstreams: [ObjectIdentifier: [Edge]] = [:]
  }

  private let edges = Locked(Edges())

  /// - Parameter endsTogether: Whether `willTerminate` of the first bus ends the second one.
  func connect(
    _ upstream: LifecycleBusCore,
    to downstream: LifecycleBusCore,
    endsTogether: Bool
  ) throws(LifecycleBusCycleError) -> Edge {
    let edge = Edge(upstream, downstream, endsTogether: endsTogether)
    try edges.withLock { edges throws(LifecycleBusCycleError) in
      var open = [edge.upstream]
      var seen: Set<ObjectIdentifier> = []
      while let bus = open.popLast() {
        guard bus != edge.downstream else { throw LifecycleBusCycleError() }
        guard seen.insert(bus).inserted else { continue }
        open += edges.toUpstreams[bus, default: []].map(\.upstream)
      }
      edges.toUpstreams[edge.downstream, default: []].append(edge)
      edges.toDownstreams[edge.upstream, default: []].append(edge)
    }
    return edge
  }

  /// Returns the buses that the bus feeds and that end with it, in order of connection.
  func busesEnding(with bus: LifecycleBusCore) -> [LifecycleBusCore] {
    edges.withLock { $0.toDownstreams[ObjectIdentifier(bus), default: []] }.compactMap(\.ending)
  }

  fileprivate func disconnect(_ edge: Edge) {
    edges.withLock { edges in
      Self.remove(edge, from: &edges.toUpstreams[edge.downstream])
      Self.remove(edge, from: &edges.toDownstreams[edge.upstream])
    }
  }

  private static func remove(_ edge: Edge, from edges: inout [Edge]?) {
    edges?.removeAll { $0 === edge }
    if edges?.isEmpty == true { edges = nil }
  }
}
