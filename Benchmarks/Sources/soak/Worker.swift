import LifecycleBackgroundWork
import LifecycleCombine
import LifecycleCountdowns
import ReactiveLifecycle

/// What one thread does at random.
struct Worker {
  private let world: World
  private let thread: Int
  private var random: SeededGenerator
  /// The step at which this thread ends a bus that the others still use.
  private var endingStep: Int?
  private var sources: [(source: RandomSource, connection: LifecycleCancellable)] = []
  private var tokens: [(token: LifecycleSubscription, check: ObserverCheck)] = []
  private var sinks: [(sink: AnyCancellable, check: ObserverCheck)] = []
  private var scopes: [(scope: LifecycleScope, checks: [ObserverCheck])] = []
  private var operatorSinks: [AnyCancellable] = []
  private var countdowns: [(countdown: Countdown, sink: AnyCancellable)] = []
  private var backgroundTasks: [BackgroundTask] = []

  private static let kinds: [LifecycleEvent.Kind] = [
    .didFinishLaunching, .willEnterForeground, .didBecomeActive, .willResignActive,
    .didEnterBackground, .didReceiveMemoryWarning, .systemWillSleep,
  ]

  init(_ world: World, thread: Int, seed: UInt64) {
    self.world = world
    self.thread = thread
    random = SeededGenerator(seed: seed)
  }

  mutating func run(steps: Int) {
    // In half of the epochs.
    if thread == 0 { endingStep = Int.random(in: 0..<2 * steps, using: &random) }
    for number in 0..<steps {
      if number == endingStep { world.endingBus.bus.send(.willTerminate) }
      if number % 100 == 0 { world.files.save(number, as: "thread \(thread)") }
      step()
    }
    while let source = sources.popLast() { source.connection.cancel() }
    while let task = backgroundTasks.popLast() { task.end() }
    // The rest ends with its bus.
    for (token, _) in tokens { world.keep(token) }
    for (scope, _) in scopes { world.keep(scope) }
    for (countdown, sink) in countdowns {
      world.keep(countdown)
      sink.store(in: world.scope)
    }
    for (sink, _) in sinks { sink.store(in: world.scope) }
    for sink in operatorSinks { sink.store(in: world.scope) }
  }

  private mutating func step() {
    let observed = world.buses.randomElement(using: &random)!
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<40: send(to: observed)
    case 40..<44: connect(to: observed.bus)
    case 44..<47: if sources.count > 4 { remove(from: \.sources)?.connection.cancel() }
    case 47..<55: observe(observed)
    case 55..<62: cancelObserver()
    case 62..<68: observe(observed, inScope: true)
    case 68..<71: if let scope = remove(from: \.scopes) { end(scope) }
    case 71..<75: countDown(on: observed.bus)
    case 75..<79: changeCountdown()
    case 79..<84: backgroundTasks.append(beginTask())
    case 84..<89: remove(from: \.backgroundTasks)?.end()
    case 89..<92: world.wait(for: observed.bus)
    case 92..<94: world.iterate(observed)
    case 94..<96: world.fetch(world.fetches.indices.randomElement(using: &random)!)
    case 96..<97: subscribeToOperators(of: observed)
    default: look(at: observed.bus)
    }
  }

  /// Removes any element of a list.
  private mutating func remove<Element>(from list: WritableKeyPath<Self, [Element]>) -> Element? {
    guard let index = self[keyPath: list].indices.randomElement(using: &random) else { return nil }
    return self[keyPath: list].remove(at: index)
  }

  // MARK: Events

  private mutating func send(to observed: ObservedBus) {
    let kind = Self.kinds.randomElement(using: &random)!
    if Bool.random(using: &random), let source = sources.randomElement(using: &random) {
      return source.source.report(kind)
    }
    let hadEnded = observed.hasEnded
    let outcome = observed.bus.send(kind)
    world.faults.check(
      !hadEnded || outcome == .suppressed(.terminated),
      "\(kind) after the end: \(outcome)"
    )
  }

  private mutating func connect(to bus: any LifecycleBusProtocol) {
    let source = RandomSource("source \(Int.random(in: 0..<5, using: &random))")
    do {
      sources.append((source, try bus.connect(source)))
    } catch {
      world.faults.check(false, "can't connect: \(error)")
    }
  }

  // MARK: Observers

  private mutating func observe(_ observed: ObservedBus, inScope: Bool = false) {
    let isSink = Bool.random(using: &random)
    let check = world.check(isSink ? "sink" : "closure", of: observed)
    let bus = observed.bus
    guard inScope else {
      if isSink {
        sinks.append((check.registering { bus.events.sink { check.receive($0) } }, check))
      } else {
        tokens.append((check.registering { bus.addObserver { check.receive($0) } }, check))
      }
      return
    }
    if scopes.isEmpty || Int.random(in: 0..<4, using: &random) == 0 {
      scopes.append((LifecycleScope("soak"), []))
    }
    let index = scopes.indices.randomElement(using: &random)!
    let scope = scopes[index].scope
    scopes[index].checks.append(check)
    check.registering {
      if isSink {
        bus.events.sink { check.receive($0) }.store(in: scope)
      } else {
        bus.addObserver(in: scope) { check.receive($0) }
      }
    }
  }

  private mutating func cancelObserver() {
    if Bool.random(using: &random) {
      guard let (token, check) = remove(from: \.tokens) else { return }
      token.cancel()
      check.didCancel()
    } else if let (sink, check) = remove(from: \.sinks) {
      sink.cancel()
      check.didCancel()
    }
  }

  private func end(_ scope: (scope: LifecycleScope, checks: [ObserverCheck])) {
    scope.scope.end()
    for check in scope.checks { check.didCancel() }
  }

  private mutating func subscribeToOperators(of observed: ObservedBus) {
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

  // MARK: Countdowns

  private mutating func countDown(on bus: any LifecycleBusProtocol) {
    let duration = Duration.milliseconds(Int.random(in: 1...50, using: &random))
    let countdown = Countdown(duration, of: bus, tickInterval: .milliseconds(5))
    let faults = world.faults
    let canary = Canary(world.census)
    let sink = countdown.states.sink { state in
      withExtendedLifetime(canary) {
        faults.check(state.remaining >= .zero, "\(state.remaining) left")
        faults.check(
          state.status != .finished || state.remaining == .zero,
          "finished with \(state.remaining) left"
        )
      }
    }
    countdown.start()
    countdowns.append((countdown, sink))
  }

  private mutating func changeCountdown() {
    guard let (countdown, sink) = remove(from: \.countdowns) else { return }
    switch Int.random(in: 0..<6, using: &random) {
    case 0: countdown.pause()
    case 1: countdown.resume()
    case 2: countdown.extend(by: .milliseconds(3))
    case 3: countdown.restart()
    case 4: return countdown.cancel()
    default: return
    }
    countdowns.append((countdown, sink))
  }

  // MARK: Background work

  private mutating func beginTask() -> BackgroundTask {
    world.coordinators.randomElement(using: &random)!.beginTask(named: "soak")
  }

  // MARK: Looking

  private func look(at bus: any LifecycleBusProtocol) {
    _ = bus.diagnostics
    _ = bus.liveSubscriptions.count
    _ = bus.suppressedCount(.duplicate)
    world.recorders.first?.note("soak")
  }
}
