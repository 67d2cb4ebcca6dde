import LifecycleCombine
import LifecycleCore
import TestSupport

/// A real bus under the control of a script.
final class RealBus: ScriptedBus {
  /// Whose `sink` a bus is observed with.
  enum SinkKind: CaseIterable { case own, openCombine }

  private unowned let script: Script
  private let sinks: SinkKind
  private var bus: (any LifecycleBusProtocol)?
  private var tokens: [Int: LifecycleCancellable] = [:]
  private var subscriptions: [Int: any Subscription] = [:]
  private var cancellables: [Int: AnyCancellable] = [:]
  private var scopes: [LifecycleScope] = []
  private var owners: [Int: Owner] = [:]

  init(_ script: Script, _ bus: any LifecycleBusProtocol, sinks: SinkKind = .own) {
    self.script = script
    self.sinks = sinks
    self.bus = bus
  }

  var phase: LifecyclePhase { bus!.phase }
  var liveCount: Int { bus!.diagnostics.liveSubscriptions.count }

  func send(_ kind: LifecycleEvent.Kind, at instant: LifecycleInstant) -> LifecycleSendResult {
    bus!.send(kind, at: instant)
  }

  func releaseBus() { bus = nil }

  func add(_ number: Int, _ spec: ObserverSpec) {
    // Released when the observer's closure, or subscriber, is.
    let canary = Canary { [script] in script.released(number) }
    withExtendedLifetime(canary) { add(number, spec, canary) }
  }

  private func add(_ number: Int, _ spec: ObserverSpec, _ canary: Canary) {
    let called: @Sendable (String) -> Void = { [script] what in
      canary.sing()
      script.called(number, what)
    }
    let bus = bus!
    let scope = spec.scope.map { scopes[$0] }
    let least = Duration.seconds(spec.minimum)
    switch spec.form {
    case .token:
      tokens[number] = bus.addObserver(for: spec.kinds, catchUp: spec.catchUp) {
        called($0.fullLine)
      }
    case .scope:
      bus.addObserver(for: spec.kinds, in: scope!, id: spec.id, catchUp: spec.catchUp) {
        called($0.fullLine)
      }
    case .owner:
      let owner = owners[spec.owner!]!
      bus.addObserver(owner, for: spec.kinds, id: spec.id, catchUp: spec.catchUp) {
        called($1.fullLine)
      }
    case .returning:
      bus.onReturn(after: least, at: spec.moment, in: scope!, id: spec.id) {
        called(spec.form.text($0))
      }
    case .opening:
      let initial = spec.catchUp != .nothing
      bus.onOpen(after: least, at: spec.moment, in: scope!, id: spec.id, initial: initial) {
        called(spec.form.text($0))
      }
    case .capturing:
      let capture: @Sendable () -> Void = { called("capture") }
      bus.onReturn(after: least, at: spec.moment, in: scope!, id: spec.id, capturing: capture) {
        called("\(spec.form.text($0)), \($1 == nil ? "nothing" : "something")")
      }
    case .events: subscribe(number, spec, to: bus.events, called) { $0.fullLine }
    case .phases: subscribe(number, spec, to: bus.phases, called) { "\($0)" }
    case .backgroundStays: subscribe(number, spec, to: bus.backgroundStays, called, spec.form.text)
    case .openings: subscribe(number, spec, to: bus.openings, called, spec.form.text)
    case .suppressedInputs:
      subscribe(number, spec, to: bus.suppressedInputs, called) { "\($0.kind) \($0.reason)" }
    case .eventsSink:
      let publisher = bus.publisher(for: spec.kinds, catchUp: spec.catchUp)
      sink(number, to: publisher, called) { $0.fullLine }
    case .phasesSink: sink(number, to: bus.phases, called) { "\($0)" }
    case .backgroundStaysSink: sink(number, to: bus.backgroundStays, called, spec.form.text)
    }
  }

  private func sink<Output>(
    _ number: Int,
    to stream: LifecyclePublisher<Output>,
    _ called: @escaping @Sendable (String) -> Void,
    _ text: @escaping (Output) -> String
  ) {
    let finished = { (_: Subscribers.Completion<Never>) in called("finished") }
    let received = { (value: Output) in called(text(value)) }
    cancellables[number] =
      switch sinks {
      case .own: stream.sink(receiveCompletion: finished, receiveValue: received)
      case .openCombine:
        stream.eraseToAnyPublisher().sink(receiveCompletion: finished, receiveValue: received)
      }
  }

  private func subscribe<Stream: Publisher>(
    _ number: Int,
    _ spec: ObserverSpec,
    to stream: Stream,
    _ called: @escaping @Sendable (String) -> Void,
    _ text: @escaping (Stream.Output) -> String
  ) where Stream.Failure == Never {
    // Nobody but the bus holds the subscriber.
    stream.subscribe(
      AnySubscriber(
        receiveSubscription: { [unowned self] in
          subscriptions[number] = $0
          if spec.demand != 0 { $0.request(spec.demand.map { .max($0) } ?? .unlimited) }
        },
        receiveValue: {
          called(text($0))
          return .none
        },
        receiveCompletion: { _ in called("finished") }
      )
    )
  }

  func cancel(_ number: Int) {
    tokens[number]?.cancel()
    subscriptions[number]?.cancel()
    cancellables[number]?.cancel()
  }

  func request(_ number: Int, _ count: Int) { subscriptions[number]?.request(.max(count)) }

  func makeScope(_ number: Int, parent: Int?) {
    scopes.append(LifecycleScope("\(number)", parent: parent.map { scopes[$0] }))
  }

  func isEnded(scope: Int) -> Bool { scopes[scope].isEnded }
  func end(scope: Int) { scopes[scope].end() }
  func end(scope: Int, at kind: LifecycleEvent.Kind) { scopes[scope].end(at: [kind], of: bus!) }
  func end(scope: Int, when condition: EndCondition) {
    scopes[scope].end(when: condition.condition, of: bus!)
  }
  func makeOwner(_ number: Int) { owners[number] = Owner() }
  func release(owner: Int) { owners[owner] = nil }
}
