import LifecycleCombine
import LifecycleCore
import LifecycleCountdowns
import Synchronization

/// The random use that one thread makes of the library.
struct Worker {
  let world: World
  let name: String
  private let thread: Int
  var random: SeededGenerator
  /// The step at which this thread ends a bus that the others still use.
  private var endingStep: Int?
  var sources: [ConnectedSource] = []
  var sinks: [(sink: AnyCancellable, check: ObserverCheck)] = []
  var scopes: [(scope: LifecycleScope, checks: [ObserverCheck])] = []
  var slowSubscribers: [SlowSubscriber<LifecycleEvent>] = []
  var slowPhases: [SlowSubscriber<LifecyclePhase>] = []
  var operatorSinks: [AnyCancellable] = []
  var countdowns: [(countdown: Countdown, sink: AnyCancellable)] = []

  static let kinds: [LifecycleEvent.Kind] = [
    .didFinishLaunching, .willEnterForeground, .didBecomeActive, .willResignActive,
    .didEnterBackground, .didReceiveMemoryWarning, .systemWillSleep,
  ]

  init(_ world: World, thread: Int, seed: UInt64) {
    self.world = world
    self.thread = thread
    name = "thread \(thread)"
    random = SeededGenerator(seed: seed)
  }

  mutating func run(steps: Int) {
    // In half of the epochs.
    if thread == 0 { endingStep = Int.random(in: 0..<2 * steps, using: &random) }
    for number in 0..<steps {
      if number == endingStep { world.endingBus.bus.send(.willTerminate) }
      step()
    }
    while let source = sources.popLast() { source.disconnect(from: name, world.faults) }
    // The rest ends with its bus.
    for (scope, _) in scopes { world.state.withLock { $0.scopes.append(scope) } }
    for (countdown, sink) in countdowns {
      world.keep(countdown)
      sink.store(in: world.scope)
    }
    for (sink, _) in sinks { sink.store(in: world.scope) }
    for sink in operatorSinks { sink.store(in: world.scope) }
  }

  private mutating func step() {
    let observed = world.buses.randomElement(using: &random)!
    switch Int.random(in: 0..<176, using: &random) {
    case 0..<76: send(to: observed)
    case 76..<78: sendAndWait()
    case 78..<86: connect(to: observed)
    case 86..<92: if sources.count > 4 { disconnect() }
    case 92..<100: share(observed)
    case 100..<106: world.sharedObserver(using: &random)?.cancel(world.faults)
    case 106..<110: observe(observed)
    case 110..<113: cancelSink()
    case 113..<125: observeInScope(observed)
    case 125..<131: endScope()
    case 131..<133: replaceObserver(of: observed)
    case 133..<137: subscribeSlowly(to: observed)
    case 137..<145: requestValues()
    case 145..<149: useScopes(observed)
    case 149..<156: countDown(on: observed.bus)
    case 156..<163: changeCountdown()
    case 163..<166: world.wait(for: observed.bus)
    case 166..<168: world.iterate(observed)
    case 168..<170: subscribeToOperators(of: observed)
    default: look(at: observed)
    }
  }

  mutating func kind() -> LifecycleEvent.Kind { Self.kinds.randomElement(using: &random)! }

  /// Removes any element of a list.
  mutating func remove<Element>(from list: WritableKeyPath<Self, [Element]>) -> Element? {
    guard let index = self[keyPath: list].indices.randomElement(using: &random) else { return nil }
    return self[keyPath: list].remove(at: index)
  }

  // MARK: Inputs

  private mutating func send(to observed: ObservedBus) {
    let kind = kind()
    if Bool.random(using: &random), let source = sources.randomElement(using: &random) {
      return source.send(kind, from: name)
    }
    let hadEnded = observed.hasEnded
    let outcome = observed.send(kind, from: name)
    world.faults.check(
      .theEnd,
      !hadEnded || outcome == .suppressed(.terminated),
      "\(kind) after the end: \(outcome)"
    )
  }

  private mutating func sendAndWait() {
    let kind = kind()
    sources.randomElement(using: &random)?.sendAndWait(kind, from: name, world.faults)
  }

  private mutating func connect(to observed: ObservedBus) {
    let number = Int.random(in: 0..<10, using: &random)
    let role: LifecycleRole =
      switch number {
      case 0: .ceiling
      case 1...4: .participant(LifecycleParticipant(rawValue: "participant \(number)"))
      default: .participant(.application)
      }
    do {
      sources.append(try ConnectedSource("source \(number)", to: observed, as: role))
    } catch {
      world.faults.check(.features, false, "can't connect: \(error)")
    }
  }

  private mutating func disconnect() {
    remove(from: \.sources)?.disconnect(from: name, world.faults)
  }

  // MARK: Looking

  private func look(at observed: ObservedBus) {
    _ = observed.bus.diagnostics
    for (index, other) in world.buses.enumerated() where other === observed {
      world.replacements[index].checkCount()
    }
  }
}

extension Worker {
  mutating func share(_ observed: ObservedBus) {
    let catchUp = LifecycleCatchUp.allCases.randomElement(using: &random)!
    world.share(SharedObserver(of: observed, catchUp: catchUp, inDeliveryOf: nil, world))
  }

  mutating func observe(_ observed: ObservedBus) {
    let check = world.check(.sink, of: observed)
    sinks.append((sink(of: observed, check), check))
  }

  private func sink(of observed: ObservedBus, _ check: ObserverCheck) -> AnyCancellable {
    let canary = world.canary(of: observed)
    return check.registering {
      observed.bus.events.sink { _ in
        check.finish()
      } receiveValue: { event in
        withExtendedLifetime(canary) { check.receive(event) }
      }
    }
  }

  mutating func cancelSink() {
    guard let (sink, check) = remove(from: \.sinks) else { return }
    sink.cancel()
    check.didCancel()
  }

  // MARK: In scopes

  mutating func observeInScope(_ observed: ObservedBus) {
    if scopes.isEmpty || Int.random(in: 0..<4, using: &random) == 0 {
      scopes.append((LifecycleScope("soak"), []))
    }
    let index = scopes.indices.randomElement(using: &random)!
    let scope = scopes[index].scope
    switch Int.random(in: 0..<3, using: &random) {
    case 0:
      let check = world.check(.sink, of: observed)
      sink(of: observed, check).store(in: scope)
      scopes[index].checks.append(check)
    case 1:
      let check = world.check(.closure, of: observed)
      let canary = world.canary(of: observed)
      check.registering {
        observed.addObserver(in: scope) { event in
          withExtendedLifetime(canary) { check.receive(event) }
        }
      }
      scopes[index].checks.append(check)
    default:
      let check = ReturnCheck(of: observed, world.faults)
      observed.onReturn(in: scope, capturing: { check.capture() }) { check.receive($0, $1) }
      // A task of the scope ends with it. Not `Task.sleep`, which leaves its timer when cancelled.
      let (stream, continuation) = AsyncStream<Void>.makeStream()
      let task = scope.task {
        for await _ in stream {}
        withExtendedLifetime(continuation) {}
      }
      world.run { await task.value }
    }
  }

  mutating func endScope() {
    guard let (scope, checks) = remove(from: \.scopes) else { return }
    scope.end()
    for check in checks { check.didCancel() }
  }

  // MARK: The same again

  /// Adds the observer that replaces the one that another thread has added.
  mutating func replaceObserver(of observed: ObservedBus) {
    let index = world.buses.firstIndex { $0 === observed }!
    let check = world.replacements[index]
    observed.addObserver(in: world.replacementScope, id: 1) { check.receive($0) }
    check.didRegister()
    check.checkCount()
  }

  // MARK: With limited demand

  mutating func subscribeSlowly(to observed: ObservedBus) {
    if Bool.random(using: &random) {
      let delivery = observed.delivery
      let subscriber = SlowSubscriber<LifecyclePhase>(world.faults) { _ in
        delivery.during {}
      } onCompletion: {
        delivery.during {}
      }
      observed.bus.phases.subscribe(subscriber)
      slowPhases.append(subscriber)
      world.state.withLock { $0.slowPhases.append(subscriber) }
    } else {
      let check = world.check(.slow, of: observed)
      let subscriber = SlowSubscriber<LifecycleEvent>(world.faults) { event in
        check.receive(event)
      } onCompletion: {
        check.finish()
      }
      check.registering { observed.bus.events.subscribe(subscriber) }
      slowSubscribers.append(subscriber)
      world.state.withLock { $0.slowSubscribers.append(subscriber) }
    }
  }

  mutating func requestValues() {
    let count = Int.random(in: 1...20, using: &random)
    slowSubscribers.randomElement(using: &random)?.request(count)
    slowPhases.randomElement(using: &random)?.request(count)
  }

  // MARK: Separate scopes and buses

  mutating func useScopes(_ observed: ObservedBus) {
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      let check = ScopeCheck(world.faults)
      check.fill()
      world.state.withLock { $0.scopeChecks.append(check) }
    case 1, 2:
      let position = random.next()
      let check = world.state.withLock { state in
        state.scopeChecks.isEmpty
          ? nil : state.scopeChecks[Int(position % UInt64(state.scopeChecks.count))]
      }
      check?.scope.end()
    default:
      let kind = kind()
      let scope = LifecycleScope("ends at \(kind)")
      scope.onEnd { [delivery = observed.delivery] in
        // On a bus that has ended, a scope ends at once.
        if !observed.hasEnded { delivery.scopeDidEnd(at: [kind]) }
      }
      scope.end(at: [kind], of: observed.bus)
      world.keep(scope)
    }
  }
}

extension Worker {
  mutating func countDown(on bus: any LifecycleBusProtocol) {
    let duration = Duration.milliseconds(Int.random(in: 1...50, using: &random))
    let countdown = Countdown(duration, of: bus, tickInterval: .milliseconds(5))
    let faults = world.faults
    let canary = Canary(world.census)
    if faults.makes(.object) { _ = Unmanaged.passRetained(canary) }
    let sink = countdown.states.sink { state in
      withExtendedLifetime(canary) {
        faults.check(.features, state.remaining >= .zero, "\(state.remaining) left")
        faults.check(
          .features,
          state.status != .finished || state.remaining == .zero,
          "finished with \(state.remaining) left"
        )
      }
    }
    countdown.start()
    countdowns.append((countdown, sink))
  }

  mutating func changeCountdown() {
    guard let (countdown, sink) = remove(from: \.countdowns) else { return }
    switch Int.random(in: 0..<6, using: &random) {
    case 0: countdown.pause()
    case 1: countdown.resume()
    case 2: countdown.extend(by: .milliseconds(3))
    case 3: countdown.restart()
    case 4: return countdown.reset()
    default: return
    }
    countdowns.append((countdown, sink))
  }

  // MARK: Operators

  mutating func subscribeToOperators(of observed: ObservedBus) {
    let phases = world.operatorCheck(.joining, of: observed)
    operatorSinks.append(observed.bus.phases.sink { phases.receive($0) })
    phases.didSubscribe()
    let settled = world.operatorCheck(of: observed)
    operatorSinks.append(
      observed.bus.phases.settle(for: .milliseconds(2)).sink { settled.receive($0) }
    )
    settled.didSubscribe()
    let active = world.operatorCheck(of: observed)
    operatorSinks.append(activeEvents(of: observed.bus) { active.receive($0) })
  }

  private func activeEvents(
    of bus: some LifecycleBusProtocol,
    _ body: @escaping (LifecycleEvent) -> Void
  ) -> AnyCancellable {
    bus.events.whilePhase(.atLeast(.active), of: bus).sink(receiveValue: body)
  }
}

/// The random use that the main actor makes of the bus that delivers there.
@MainActor
final class MainWorker {
  private let world: World
  private let observed: ObservedBus
  private var random: SeededGenerator
  private var owners: [MainActorOwner] = []

  init(_ world: World, seed: UInt64) {
    self.world = world
    observed = world.buses.first { $0.mainActorBus === world.mainBus }!
    random = SeededGenerator(seed: seed)
  }

  func run(steps: Int) async {
    for _ in 0..<steps {
      switch Int.random(in: 0..<10, using: &random) {
      case 0: owners.append(world.mainActorOwner(of: observed))
      case 1: _ = owners.popLast()
      default: send()
      }
      await Task.yield()
    }
    owners = []
  }

  private func send() {
    let kind = Worker.kinds.randomElement(using: &random)!
    let outcome = observed.send(kind, from: "main actor")
    world.faults.check(
      .whereObserversRun,
      outcome != .queued,
      "\(kind) is queued, although it was sent on the main actor outside a delivery"
    )
  }
}

/// An observer that uses its bus while it is called: it sends, registers, and cancels others and
/// itself (G3, G5, G6, G7).
final class ActingObserver: Sendable {
  private let observed: ObservedBus
  private let world: World
  private let random: Mutex<SeededGenerator>

  init(of observed: ObservedBus, seed: UInt64, _ world: World) {
    self.observed = observed
    self.world = world
    random = Mutex(SeededGenerator(seed: seed))
  }

  /// Registers the observer.
  func register() -> LifecycleCancellable {
    let check = world.check(.closure, of: observed)
    return check.registering {
      observed.addObserver { event in
        check.receive(event) { self.act(in: event) }
      }
    }
  }

  private func act(in event: LifecycleEvent) {
    switch random.withLock({ Int.random(in: 0..<64, using: &$0) }) {
    // Fewer inputs than events, or the bus would never come to rest.
    case 0..<8: send()
    case 8..<14: world.share(observer(in: event))
    case 14..<22: cancelShared(in: event)
    case 22..<26: addSelfCancelling(in: event)
    case 26..<28: look()
    default: break
    }
  }

  private func send() {
    let kind = random.withLock { Worker.kinds.randomElement(using: &$0)! }
    let outcome = observed.send(kind, from: "observer")
    world.faults.check(.oneOrder, outcome != .delivered, "\(kind) in an observer is delivered")
  }

  private func observer(in event: LifecycleEvent) -> SharedObserver {
    let catchUp = random.withLock { LifecycleCatchUp.allCases.randomElement(using: &$0)! }
    return SharedObserver(
      of: observed,
      catchUp: catchUp,
      inDeliveryOf: event.sequenceNumber,
      world
    )
  }

  private func cancelShared(in event: LifecycleEvent) {
    guard let other = random.withLock({ world.sharedObserver(using: &$0) }) else { return }
    let isOwn = other.observed === observed
    other.cancel(inDeliveryOf: isOwn ? event.sequenceNumber : nil, world.faults)
  }

  /// Adds an observer that cancels itself in its first call.
  private func addSelfCancelling(in event: LifecycleEvent) {
    let check = world.check(.closure, of: observed, inDeliveryOf: event.sequenceNumber)
    let canary = world.canary(of: observed)
    let token = TokenHolder()
    let delivery = observed.delivery
    token.hold(
      check.registering {
        observed.addObserver { event in
          check.receive(event) {
            token.cancel()
            check.didCancel(isInDelivery: true)
            delivery.expectRelease(of: canary, after: event.sequenceNumber)
          }
        }
      }
    )
  }

  /// Subscribes and cancels in one call, and asks for reports.
  private func look() {
    observed.bus.phases.sink { _ in }.cancel()
    _ = observed.bus.diagnostics
  }
}

/// The token of an observer that cancels itself.
private final class TokenHolder: Sendable {
  private let token = Mutex<LifecycleCancellable?>(nil)

  func hold(_ new: LifecycleCancellable) { token.withLock { $0 = new } }

  func cancel() { token.withLock { $0.take() }?.cancel() }
}

/// An observer that any thread may cancel, also several at once, also in a delivery.
final class SharedObserver: Sendable {
  private let check: ObserverCheck
  private let token: LifecycleCancellable

  /// Adds an observer to a bus.
  ///
  /// - Parameter number: The number of the event in delivery, if this is called in an observer of
  ///   the same bus.
  init(
    of observed: ObservedBus,
    catchUp: LifecycleCatchUp,
    inDeliveryOf number: Int?,
    _ world: World
  ) {
    let check = world.check(.closure, of: observed, catchUp: catchUp, inDeliveryOf: number)
    let canary = world.canary(of: observed)
    self.check = check
    token = check.registering {
      observed.addObserver(catchUp: catchUp) { event in
        withExtendedLifetime(canary) { check.receive(event) }
      }
    }
    if world.faults.makes(.joining), number != nil, let event = observed.delivery.current {
      check.receive(event)
    }
  }

  var observed: ObservedBus { check.observed }

  /// Cancels the observer.
  ///
  /// - Parameter number: The number of the event in delivery, if this is called in an observer of
  ///   the same bus.
  func cancel(inDeliveryOf number: Int? = nil, _ faults: Faults) {
    token.cancel()
    faults.check(.leaving, token.isCancelled, "a cancelled observer is active")
    check.didCancel(isInDelivery: number != nil)
    if faults.makes(.leaving), let event = observed.delivery.current { check.receive(event) }
  }
}

/// An owner of observers, whose release ends them, and which does not leave the main actor.
///
/// The last reference may be that of a thread that looks whether the owner is alive, for instance
/// for diagnostics. So the check learns of the release from the owner itself: after it, no call can
/// be running.
@MainActor
final class MainActorOwner {
  private let canary: Canary

  init(of check: ObserverCheck, _ census: SharedCount) {
    canary = Canary(census) { check.didCancel(isInDelivery: true) }
  }
}

extension World {
  /// Adds an observer of the bus of the main actor that has an owner, and returns the owner.
  @MainActor
  func mainActorOwner(of observed: ObservedBus) -> MainActorOwner {
    let check = check(.owner, of: observed)
    let owner = MainActorOwner(of: check, census)
    let canary = canary(of: observed)
    check.registering {
      mainBus.addObserver(owner) { _, event in
        withExtendedLifetime(canary) { check.receive(event) }
      }
    }
    mainBus.onReturn(owner) { [returns = ReturnCheck(of: observed, faults)] _, stay in
      returns.receive(stay)
    }
    return owner
  }
}
