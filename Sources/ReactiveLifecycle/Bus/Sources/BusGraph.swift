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
  final class Edge: Cancellable, Sendable {
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

    func cancel() { BusGraph.shared.disconnect(self) }
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

  private func disconnect(_ edge: Edge) {
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
