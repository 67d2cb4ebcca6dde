/// A bus that feeds another one, as `bus(_:)` makes it.
///
/// As a ``LifecycleRole/ceiling`` it is a parent: the child is never further forward than the
/// parent, even before the parent knows its phase. The end of the parent, by `willTerminate` or by
/// its release, ends the child. As ``LifecycleRole/participant(_:)`` it is a part, such as a
/// window: its end withdraws its reports. As the participant ``LifecycleParticipant/application`` it is the same process,
/// delivered elsewhere: its `willTerminate` ends both, and its release withdraws its reports.
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

  /// Reports the upstream bus's phase, then each of its events, where the upstream bus delivers.
  ///
  /// The phase is reported before this method returns if the upstream bus delivers here and has
  /// nothing in delivery. The reports end when the bus that is fed ends.
  ///
  /// - Throws: ``LifecycleBusCycleError`` if the bus feeds its own source.
  public func start(_ input: LifecycleFeed) throws -> @Sendable () -> Void {
    let edge = try BusGraph.shared.connect(
      upstream,
      to: input.core,
      endsTogether: input.role == .ceiling || input.role == .participant(.application)
    )
    let row = ListenerRow(
      core: upstream,
      kinds: .all,
      site: site,
      listener: BusForwarder(upstream: upstream, input: input),
      // While this row is being called, an observer of the bus that is fed may be running.
      locateRunning: { [weak downstream = input.core] in downstream?.runningObserver }
    )
    // The place on the upstream bus is given up with the connection, or with the bus that is fed.
    let link = ScopeCore(name: "")
    link.admit { _ in CancellableBox(edge) }
    link.admit { _ in row }
    input.core.end(link, at: [], site)
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
  /// try screen.connect(.bus(application), as: .ceiling).store(in: scope)
  /// ```
  ///
  /// - Parameters:
  ///   - bus: The bus that feeds the other one.
  ///   - name: The name under which it reports.
  ///   - fileID: The file ID of the call site.
  ///   - filePath: The path of the call site's file.
  ///   - line: The line of the call site.
  ///   - column: The column of the call site.
  public static func bus(
    _ bus: some LifecycleBusProtocol,
    name: LifecycleSourceName = "bus",
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Self {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    return LifecycleBusSource(bus.core, name: name, site)
  }
}

/// A listener that passes on the events of one bus to another.
private final class BusForwarder: BusListener {
  private let upstream: LifecycleBusCore
  private let input: LifecycleFeed

  init(upstream: LifecycleBusCore, input: LifecycleFeed) {
    self.upstream = upstream
    self.input = input
  }

  func join(at delivered: DeliveredState) {
    switch delivered.phase {
    case .unknown:
      // A child is never further forward than a parent that may be prewarmed, or in the background.
      if input.role == .ceiling { input.send(.didFinishLaunching) }
    case .terminated:
      input.send(.willTerminate, at: delivered.instant)
    case .background, .inactive, .active:
      let step = delivered.phase.upwardPath.last!
      input.send(step.kind, at: delivered.instant)
    }
  }

  func hear(_ event: LifecycleEvent) {
    input.send(event.kind, at: event.instant, metadata: event.metadata)
  }

  func busDidEnd() {
    guard input.role == .ceiling else { return input.disconnect() }
    // `willTerminate` has been passed on; after it the child's suppressed inputs continue.
    if upstream.phase != .terminated { input.core.release() }
  }
}
