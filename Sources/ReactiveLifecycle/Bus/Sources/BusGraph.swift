import LifecycleCombine
import LifecycleSupport

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
  struct Edge: Cancellable, Sendable {
    let upstream: ObjectIdentifier
    let downstream: ObjectIdentifier

    func cancel() { BusGraph.shared.disconnect(self) }
  }

  static let shared = BusGraph()

  /// The buses that feed each bus, one entry for each connection.
  private let upstreams = Locked<[ObjectIdentifier: [ObjectIdentifier]]>([:])

  func connect(_ upstream: LifecycleBusCore, to downstream: LifecycleBusCore)
    throws(LifecycleBusCycleError) -> Edge
  {
    let edge = Edge(upstream: .init(upstream), downstream: .init(downstream))
    try upstreams.withLock { upstreams throws(LifecycleBusCycleError) in
      var open = [edge.upstream]
      var seen: Set<ObjectIdentifier> = []
      while let bus = open.popLast() {
        guard bus != edge.downstream else { throw LifecycleBusCycleError() }
        if seen.insert(bus).inserted { open += upstreams[bus, default: []] }
      }
      upstreams[edge.downstream, default: []].append(edge.upstream)
    }
    return edge
  }

  private func disconnect(_ edge: Edge) {
    upstreams.withLock { upstreams in
      guard let index = upstreams[edge.downstream]?.firstIndex(of: edge.upstream) else { return }
      upstreams[edge.downstream]?.remove(at: index)
      if upstreams[edge.downstream]?.isEmpty == true { upstreams[edge.downstream] = nil }
    }
  }
}
