import Dispatch
import LifecycleCombine
import LifecycleCore
import Synchronization

/// The buses of an epoch, and the objects that several threads make with them.
final class World: Sendable {
  /// Three that deliver on the sending thread, one that delivers on the main actor, and one of each
  /// kind that another one feeds.
  let buses: [ObservedBus]
  let mainBus: LifecycleBus
  let replacements: [ReplacementCheck]
  let faults: Faults
  let census: SharedCount
  /// The tasks that wait for something of a bus, which end with it at the latest.
  let openTasks = SharedCount()
  /// Holds the objects that live until the buses have ended.
  let scope = LifecycleScope("world")
  let replacementScope = LifecycleScope(ReplacementCheck.scopeName)
  let state = Mutex(State())
  private let canary: Canary

  struct State {
    var tasks: [Task<Void, Never>] = []
    var checks: [ObserverCheck] = []
    var operatorChecks: [OperatorCheck] = []
    var slowSubscribers: [SlowSubscriber<LifecycleEvent>] = []
    var slowPhases: [SlowSubscriber<LifecyclePhase>] = []
    var scopes: [LifecycleScope] = []
    var scopeChecks: [ScopeCheck] = []
    var shared: [SharedObserver] = []
    var kept: [any Sendable] = []
  }

  init(_ faults: Faults, _ census: SharedCount) {
    self.faults = faults
    self.census = census
    canary = Canary(census)
    let nonisolated = (1...3).map { _ in NonisolatedLifecycleBus() }
    mainBus = LifecycleBus()
    buses =
      nonisolated.enumerated().map { ObservedBus($1, name: "\($0)", faults) }
      + [
        ObservedBus(mainBus, name: "main", faults),
        ObservedBus(NonisolatedLifecycleBus(), name: "fed", isFed: true, faults),
        ObservedBus(LifecycleBus(), name: "main, fed", isFed: true, faults),
      ]
    replacements = buses.map { ReplacementCheck(of: $0, faults) }
  }

  /// Adds the first observers, and connects the buses that feed others.
  func start(seed: UInt64) throws {
    for (number, observed) in buses.enumerated() {
      let suppressed = observed.inputs.observeSuppressedInputs(of: observed.bus, observed.delivery)
      suppressed.store(in: scope)
      keep(observe(observed))
      observed.delivery.begin()
      keep(ActingObserver(of: observed, seed: seed &+ UInt64(number), self).register())
    }
    // The main actor's is fed by one that delivers elsewhere.
    for (parent, child) in [(buses[0], buses[4]), (buses[1], buses[5])] {
      keep(try child.connect(to: parent))
    }
  }

  /// The bus that a thread may end while the others use it.
  var endingBus: ObservedBus { buses[2] }

  /// Adds the observer of a bus that receives all of its events.
  private func observe(_ observed: ObservedBus) -> LifecycleCancellable {
    let check = check(.first, of: observed)
    return check.registering {
      observed.addObserver { event in
        check.receive(event)
        observed.inputs.receive(event)
      }
    }
  }

  // MARK: Objects that the threads make

  func check(
    _ form: ObserverCheck.Form,
    of observed: ObservedBus,
    catchUp: LifecycleCatchUp = .nothing,
    inDeliveryOf number: Int? = nil
  ) -> ObserverCheck {
    let check = ObserverCheck(form, of: observed, catchUp: catchUp, inDeliveryOf: number, faults)
    state.withLock { $0.checks.append(check) }
    return check
  }

  /// Returns an object for the closure of an observer.
  func canary(of observed: ObservedBus) -> Canary {
    let canary = Canary(census) { _ = observed.bus.diagnostics }
    if faults.makes(.closure) { keep(canary) }
    return canary
  }

  func operatorCheck(
    _ guarantee: Guarantee = .features,
    of observed: ObservedBus
  ) -> OperatorCheck {
    let check = OperatorCheck(guarantee, of: observed, faults, census)
    state.withLock { $0.operatorChecks.append(check) }
    return check
  }

  /// Keeps an object until the buses have ended.
  func keep(_ object: any Sendable) {
    state.withLock { $0.kept.append(object) }
  }

  func run(_ body: @escaping @Sendable () async -> Void) {
    openTasks.add(1)
    let task = Task { [openTasks] in
      await body()
      openTasks.add(-1)
    }
    state.withLock { $0.tasks.append(task) }
  }

  // MARK: Observers that several threads know

  private static let sharedLimit = 60

  /// Lets all threads cancel an observer. A few observers are shared at a time.
  func share(_ observer: SharedObserver) {
    let displaced = state.withLock { state in
      state.shared.append(observer)
      return state.shared.count > Self.sharedLimit ? state.shared.removeFirst() : nil
    }
    displaced?.cancel(faults)
  }

  /// Returns an observer that other threads may be cancelling just now.
  func sharedObserver(using random: inout SeededGenerator) -> SharedObserver? {
    let position = random.next()
    return state.withLock { state in
      guard !state.shared.isEmpty else { return nil }
      let index = Int(position % UInt64(state.shared.count))
      return position % 3 == 0 ? state.shared[index] : state.shared.remove(at: index)
    }
  }
}

extension World {
  /// Ends the buses, waits for all that waits for them, and checks what came last.
  func end() async throws {
    let endedEarly = endingBus.hasEnded
    // A bus that another one feeds ends with it.
    for observed in buses where !observed.isFed && observed.mainActorBus == nil {
      observed.bus.send(.willTerminate)
    }
    let outcome = await MainActor.run { mainBus.send(.willTerminate) }
    faults.check(.whereObserversRun, outcome == .delivered, "the end on the main actor: \(outcome)")
    let state = state.withLock { $0 }
    for subscriber in state.slowSubscribers { subscriber.request(nil) }
    for subscriber in state.slowPhases { subscriber.request(nil) }
    try await waitForEnd(state)
    // Before their scopes end, all streams finish.
    try await waitForRest()
    for scope in state.scopes { scope.end() }
    for task in state.tasks { await task.value }
    check(state, endedEarly: endedEarly)
    scope.end()
    replacementScope.end()
    // Released outside of the lock.
    let rest = self.state.withLock { state in
      defer { state = State() }
      return state
    }
    withExtendedLifetime(rest) {}
  }

  /// Waits until the streams of all buses have finished: the thread of a timer, or the main actor,
  /// may still be delivering.
  private func waitForEnd(_ state: State) async throws {
    for observed in buses {
      // That of the suppressed inputs remains.
      while !observed.hasEnded || observed.bus.diagnostics.liveSubscriptions.count > 1 {
        try await Task.sleep(for: .milliseconds(1))
      }
    }
    if faults.makes(.wait) { try await Task.sleep(for: .seconds(3_600)) }
  }

  private func waitForRest() async throws {
    for observed in buses { try await observed.inputs.waitForRest(of: observed.bus) }
  }

  private func check(_ state: State, endedEarly: Bool) {
    for check in state.checks { check.checkEnd() }
    for check in state.operatorChecks { check.checkEnd() }
    for check in state.scopeChecks { check.checkEnd() }
    for observed in buses { observed.inputs.checkEnd(of: observed.bus, isFed: observed.isFed) }
    checkLastPhases(state.slowPhases)
    for index in buses.indices where !endedEarly || buses[index] !== endingBus {
      replacements[index].checkEnd()
    }
  }

  private func checkLastPhases(_ subscribers: [SlowSubscriber<LifecyclePhase>]) {
    for subscriber in subscribers {
      let last = subscriber.last
      faults.check(
        .backPressure,
        subscriber.isFinished && last == .terminated,
        "the last phase that was requested is \(last as Any)"
      )
    }
  }

  /// A description of the things that an epoch waits for if it does not end.
  var whatIsOpen: String {
    let buses = buses.map { "\($0.bus.phase) with \($0.bus.diagnostics.liveSubscriptions)" }
    return """
      \(openTasks.value) tasks are open; the buses are \
      \(buses.joined(separator: ", ")).
      """
  }
}

/// Tasks that wait for a bus, until it ends at the latest.
extension World {
  func wait(for bus: some LifecycleBusProtocol) {
    run { [faults] in
      do {
        try await bus.waitUntil(.atLeast(.active))
      } catch {
        faults.check(.features, error is LifecycleBusEndedError, "\(error)")
      }
    }
  }

  func iterate(_ observed: ObservedBus) {
    let check = check(.sequence, of: observed)
    let events = check.registering { observed.bus.events.asyncSequence() }
    run {
      for await event in events { check.receive(event) }
    }
  }
}

/// A bus, with the checks of its observers and senders.
final class ObservedBus: Sendable {
  let bus: any LifecycleBusProtocol
  /// The bus if it delivers on the main actor: it has separate forms for closures.
  let mainActorBus: LifecycleBus?
  private let nonisolatedBus: NonisolatedLifecycleBus?
  let delivery: DeliveryCheck
  let inputs: InputCheck
  /// A Boolean value that indicates whether another bus feeds it.
  let isFed: Bool

  init(_ bus: any LifecycleBusProtocol, name: String, isFed: Bool = false, _ faults: Faults) {
    self.bus = bus
    self.isFed = isFed
    mainActorBus = bus as? LifecycleBus
    nonisolatedBus = bus as? NonisolatedLifecycleBus
    delivery = DeliveryCheck(mainActorBus == nil ? .sendingThread : .mainActor, faults)
    inputs = InputCheck(busName: name, faults)
  }

  /// A Boolean value that indicates whether the delivery of `willTerminate` has begun.
  var hasEnded: Bool { bus.phase == .terminated }

  // MARK: Observers

  // Each kind of bus has its own forms.

  func addObserver(
    catchUp: LifecycleCatchUp = .nothing,
    _ body: @escaping @Sendable (LifecycleEvent) -> Void
  ) -> LifecycleCancellable {
    mainActorBus?.addObserver(catchUp: catchUp) { body($0) }
      ?? nonisolatedBus!.addObserver(catchUp: catchUp, using: body)
  }

  func addObserver(
    in scope: LifecycleScope,
    id: Int? = nil,
    _ body: @escaping @Sendable (LifecycleEvent) -> Void
  ) {
    mainActorBus?.addObserver(in: scope, id: id) { body($0) }
    nonisolatedBus?.addObserver(in: scope, id: id, using: body)
  }

  func onReturn<Captured: Sendable>(
    in scope: LifecycleScope,
    capturing capture: @escaping @Sendable () -> Captured,
    _ body: @escaping @Sendable (BackgroundStay, Captured?) -> Void
  ) {
    mainActorBus?.onReturn(in: scope, capturing: { capture() }) { body($0, $1) }
    nonisolatedBus?.onReturn(in: scope, capturing: capture, using: body)
  }

  // MARK: Inputs

  /// Sends an input, and returns its outcome.
  @discardableResult
  func send(_ kind: LifecycleEvent.Kind, from sender: String) -> LifecycleSendResult {
    var result = LifecycleSendResult.queued
    inputs.send(kind, from: sender) { kind, metadata in
      result = bus.send(kind, metadata: metadata)
      return (result.suppressionReason, result == .delivered)
    }
    return result
  }
}

extension ObservedBus {
  /// Makes another bus a ceiling of this one.
  func connect(to parent: ObservedBus) throws -> LifecycleCancellable {
    func connect(_ parent: some LifecycleBusProtocol) throws -> LifecycleCancellable {
      try bus.connect(.bus(parent), as: .ceiling)
    }
    return try connect(parent.bus)
  }
}

/// A source that reports what a thread lets it report.
final class RandomSource: LifecycleSource {
  let name: LifecycleSourceName
  private let feed = Mutex<LifecycleFeed?>(nil)

  init(_ name: String) { self.name = LifecycleSourceName(rawValue: name) }

  func start(_ input: LifecycleFeed) -> @Sendable () -> Void {
    feed.withLock { $0 = input }
    return {}
  }

  var input: LifecycleFeed? { feed.withLock { $0 } }
}

/// A source that a thread has connected to a bus.
struct ConnectedSource {
  private let source: RandomSource
  private let observed: ObservedBus
  private let connection: LifecycleCancellable

  init(_ name: String, to observed: ObservedBus, as role: LifecycleRole) throws {
    source = RandomSource(name)
    self.observed = observed
    connection = try observed.bus.connect(source, as: role)
  }

  func send(_ kind: LifecycleEvent.Kind, from sender: String) {
    guard let input = source.input else { return }
    observed.inputs.send(kind, from: sender) { kind, metadata in
      let outcome = input.send(kind, metadata: metadata)
      return (outcome.suppressionReason, outcome == .delivered)
    }
  }

  /// Sends an input, and waits for the observers.
  func sendAndWait(_ kind: LifecycleEvent.Kind, from sender: String, _ faults: Faults) {
    guard let input = source.input else { return }
    observed.inputs.send(kind, from: sender) { kind, metadata in
      let delivered = DispatchSemaphore(value: 0)
      let outcome = input.send(kind, metadata: metadata) { delivered.signal() }
      if let reason = outcome.suppressionReason { return (reason, false) }
      // Before it, the watchdog ends the process.
      let isDelivered = delivered.wait(timeout: .now() + 3_600) == .success
      faults.check(.whereObserversRun, isDelivered, "\(kind) was not delivered in an hour")
      return (nil, isDelivered)
    }
  }

  /// Disconnects the source, and checks that it has no more say.
  func disconnect(from sender: String, _ faults: Faults) {
    connection.cancel()
    guard let input = source.input else { return }
    observed.inputs.send(.didBecomeActive, from: sender) { kind, _ in
      let outcome = input.send(kind)
      faults.check(
        .noDoubleFire,
        outcome == .suppressed(.disconnected),
        "an input of a disconnected source: \(outcome)"
      )
      return (outcome.suppressionReason, false)
    }
  }
}

/// An object that the closure of an observer captures.
///
/// Its release uses the bus, which waits forever if the library holds a lock meanwhile (G7).
final class Canary: Sendable {
  private let census: SharedCount
  private let onRelease: @Sendable () -> Void

  init(_ census: SharedCount, onRelease: @escaping @Sendable () -> Void = {}) {
    self.census = census
    self.onRelease = onRelease
    census.add(1)
  }

  deinit {
    onRelease()
    census.add(-1)
  }
}

/// A number that several threads count.
final class SharedCount: Sendable {
  private let count = Atomic(0)

  var value: Int { count.load(ordering: .relaxed) }

  func add(_ difference: Int) { count.add(difference, ordering: .relaxed) }
}
