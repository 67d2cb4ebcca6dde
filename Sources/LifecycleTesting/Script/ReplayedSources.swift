import LifecycleFlightRecording
import LifecycleSupport
import ReactiveLifecycle

/// The sources of a recording, connected to the bus of a scripted process.
final class ReplayedSources<Bus: LifecycleBusProtocol> {
  private let bus: Bus
  private var sources: [Int: (name: LifecycleSourceName, feed: LifecycleFeed)] = [:]
  /// Kept as long as the process, whose end disconnects nothing.
  private var connections: [LifecycleCancellable] = []

  init(_ bus: Bus) {
    self.bus = bus
  }

  /// - Returns: The outcome of an input; nil for other actions.
  func perform(_ step: ReplayStep) -> LifecycleSendOutcome? {
    switch step.action {
    case .connect(let source):
      sources[source.id] = (source.name, connect(source))
    case .disconnect(let source):
      sources[source]?.feed.disconnect()
    case .send(let kind, 0, let metadata):
      return bus.send(kind, at: step.instant, metadata: metadata)
    case .send(let kind, let source, let metadata):
      return sources[source]?.feed.send(kind, at: step.instant, metadata: metadata)
    case .pass: break
    }
    return nil
  }

  private func connect(_ source: FlightSource) -> LifecycleFeed {
    // A part has the name of its whole, unless that is a stand-in, which has another.
    if let whole = source.whole.flatMap({ sources[$0] }), whole.name == source.name {
      return whole.feed.part(as: source.role)
    }
    let script = ScriptSource(name: source.name)
    // The source always starts.
    connections.append(try! bus.connect(script, as: source.role))
    return script.input.withLock { $0! }
  }
}
