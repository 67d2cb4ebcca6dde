import LifecycleFlightRecording
import LifecycleSupport
import ReactiveLifecycle

/// The sources of a recording, connected to the bus of a scripted process.
final class ReplayedSources<Bus: LifecycleBusProtocol> {
  private let bus: Bus
  private var feeds: [Int: LifecycleFeed] = [:]
  /// The sources that were disconnected before the recording starts.
  private var former: [Int: LifecycleFeed] = [:]
  /// Kept as long as the process, whose end disconnects nothing.
  private var connections: [LifecycleCancellable] = []

  init(_ bus: Bus) {
    self.bus = bus
  }

  /// - Returns: The outcome of an input; nil for other actions.
  func perform(_ step: ReplayStep) -> LifecycleSendOutcome? {
    switch step.action {
    case .connect(let source):
      feeds[source.id] = connect(source)
    case .disconnect(let source):
      feeds[source]?.disconnect()
    case .send(let kind, 0, let metadata):
      return bus.send(kind, at: step.instant, metadata: metadata)
    case .send(let kind, let source, let metadata):
      return feed(of: source).send(kind, at: step.instant, metadata: metadata)
    case .pass: break
    }
    return nil
  }

  private func connect(_ source: FlightSource) -> LifecycleFeed {
    if let whole = source.whole.flatMap({ feeds[$0] }) { return whole.part(as: source.role) }
    let script = ScriptSource(name: source.name)
    // The source always starts.
    connections.append(try! bus.connect(script, as: source.role))
    return script.input.withLock { $0! }
  }

  private func feed(of source: Int) -> LifecycleFeed {
    if let feed = feeds[source] ?? former[source] { return feed }
    let feed = connect(FlightSource(id: source, name: .unrecorded(source)))
    feed.disconnect()
    former[source] = feed
    return feed
  }
}
