/// A bus that feeds another one: what `bus(_:)` makes.
///
/// As a ``LifecycleRole/ceiling`` it is a parent: nothing in the child is further forward, and the end
/// of the parent, by `willTerminate` or by its release, ends the child. As a presence it is a part, or
/// the same process seen elsewhere: its end withdraws what it said.
public struct LifecycleBusSource: LifecycleSource {
  public let name: LifecycleSourceName
  private let upstream: BusCore

  init(_ upstream: BusCore, name: LifecycleSourceName) {
    self.upstream = upstream
    self.name = name
  }

  /// Reports the upstream bus's phase, then each of its events, where it delivers.
  ///
  /// - Throws: ``LifecycleBusCycleError`` if the bus feeds its own source.
  public func start(_ input: LifecycleInput) throws -> @Sendable () -> Void {
    let edge = try BusGraph.shared.connect(upstream, to: input.core)
    let row = ListenerRow(
      core: upstream,
      kinds: .all,
      site: nil,
      listener: BusForwarder(upstream: upstream, input: input),
      downstreamBus: input.core
    )
    upstream.listen(row)
    return {
      row.cancel()
      BusGraph.shared.disconnect(edge)
    }
  }
}

extension LifecycleSource where Self == LifecycleBusSource {
  /// Another bus, which is not kept alive. Its events arrive where it delivers, at the instants that
  /// it gives them: let both use the same clock.
  ///
  /// ```swift
  /// let connection = try screen.connect(.bus(application), as: .ceiling)
  /// ```
  ///
  /// - Parameters:
  ///   - bus: The bus that feeds.
  ///   - name: The name under which it reports.
  public static func bus(
    _ bus: some LifecycleBusProtocol,
    name: LifecycleSourceName = "bus"
  ) -> Self {
    LifecycleBusSource(bus.core.core, name: name)
  }
}

/// Passes on what one bus delivers to another.
private final class BusForwarder: BusListener {
  private let upstream: BusCore
  private let input: LifecycleInput

  init(upstream: BusCore, input: LifecycleInput) {
    self.upstream = upstream
    self.input = input
  }

  func join(at delivered: DeliveredState) {
    let kind =
      delivered.phase == .terminated ? .willTerminate : delivered.phase.upwardPath.last?.kind
    if let kind { input.send(kind, at: delivered.instant) }
  }

  func hear(_ event: LifecycleEvent) {
    input.send(event.kind, at: event.instant, userInfo: event.userInfo)
  }

  func busDidEnd() {
    guard input.role == .ceiling else { return input.disconnect() }
    // `willTerminate` has been passed on; after it the suppressed inputs of the child go on.
    if upstream.phase != .terminated { input.core.release() }
  }
}
