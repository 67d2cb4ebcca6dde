import LifecycleBackgroundWork
import LifecycleCombine
import LifecycleCountdowns
import ReactiveLifecycle

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
  var owners: [Owner] = []
  var slowSubscribers: [SlowSubscriber<LifecycleEvent>] = []
  var slowPhases: [SlowSubscriber<LifecyclePhase>] = []
  var operatorSinks: [AnyCancellable] = []
  var countdowns: [(countdown: Countdown, sink: AnyCancellable)] = []
  var backgroundTasks: [BackgroundTask] = []

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
      if number % 100 == 0 { doSeldom(number) }
      step()
    }
    while let source = sources.popLast() { source.disconnect(from: name, world.faults) }
    while let task = backgroundTasks.popLast() { task.end() }
    // The rest ends with its bus.
    for owner in owners { world.keep(owner) }
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
    switch Int.random(in: 0..<200, using: &random) {
    case 0..<76: send(to: observed)
    case 76..<78: sendAndWait()
    case 78..<86: connect(to: observed)
    case 86..<92: if sources.count > 4 { disconnect() }
    case 92..<100: share(observed)
    case 100..<106: world.sharedObserver(using: &random)?.cancel(world.faults)
    case 106..<110: observe(observed)
    case 110..<113: cancelSink()
    case 113..<121: observeInScope(observed)
    case 121..<124: endScope()
    case 124..<128: observeWithOwner(observed)
    case 128..<131: releaseOwner()
    case 131..<133: replaceObserver(of: observed)
    case 133..<137: subscribeSlowly(to: observed)
    case 137..<145: requestValues()
    case 145..<149: useScopes(observed)
    case 149..<151: useShortLivedBus()
    case 151..<158: countDown(on: observed.bus)
    case 158..<165: changeCountdown()
    case 165..<174: backgroundTasks.append(beginTask())
    case 174..<183: remove(from: \.backgroundTasks)?.end()
    case 183..<186: world.wait(for: observed.bus)
    case 186..<188: world.iterate(observed)
    case 188..<190: world.fetch(world.fetches.indices.randomElement(using: &random)!)
    case 190..<192: world.deferWork()
    case 192..<194: subscribeToOperators(of: observed)
    default: look(at: observed)
    }
  }

  private func doSeldom(_ number: Int) {
    world.files.save(number, as: name)
    if number == 0 { world.answerExitRequests(name) }
    let observed = world.buses[number / 100 % world.buses.count]
    world.requestExit(of: observed.bus)
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
      default: .presence
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
    world.recorders.first?.note("soak")
    for (index, other) in world.buses.enumerated() where other === observed {
      world.replacements[index].scope.checkCount()
    }
  }
}
