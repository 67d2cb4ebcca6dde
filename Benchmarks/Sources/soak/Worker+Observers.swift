import LifecycleCombine
import ReactiveLifecycle

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
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      let check = world.check(.sink, of: observed)
      sink(of: observed, check).store(in: scope)
      scopes[index].checks.append(check)
    case 1:
      let check = world.check(.closure, of: observed)
      let canary = world.canary(of: observed)
      _ = check.registering {
        observed.addObserver(in: scope) { event in
          withExtendedLifetime(canary) { check.receive(event) }
        }
      }
      scopes[index].checks.append(check)
    case 2:
      let check = StayStreamCheck(of: observed, world.faults)
      check.subscribe().store(in: world.scope)
      world.state.withLock { $0.stayChecks.append(check) }
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

  // MARK: With owners

  mutating func observeWithOwner(_ observed: ObservedBus) {
    owners.append(world.owner(of: observed))
  }

  mutating func releaseOwner() {
    _ = remove(from: \.owners)
  }

  // MARK: The same again

  /// Adds the observer that replaces the one that another thread has added.
  mutating func replaceObserver(of observed: ObservedBus) {
    let index = world.buses.firstIndex { $0 === observed }!
    let (inScope, withOwner) = world.replacements[index]
    if Bool.random(using: &random) {
      observed.addObserver(in: world.replacementScope, id: 1) { inScope.receive($0) }
      inScope.didRegister()
      inScope.checkCount()
    } else {
      observed.addObserver(world.replacementOwner, id: 1) { withOwner.receive($1) }
      withOwner.didRegister()
    }
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
      check?.checkEnded(world.issues)
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

  mutating func useShortLivedBus() {
    let inputs = (0..<Int.random(in: 1...10, using: &random)).map { _ in
      InputCheck.notices.randomElement(using: &random)!
    }
    let parent = world.mainBus
    let form = Int.random(in: 0..<3, using: &random)
    let bus = ShortLivedBus(
      sending: inputs,
      eventCount: form < 2 ? inputs.count : nil,
      world.faults,
      world.census
    ) {
      switch form {
      case 0: NonisolatedLifecycleBus()
      case 1: LifecycleBus()
      default: LifecycleBus(parent: parent)
      }
    }
    world.state.withLock { $0.shortLived.append(bus) }
  }
}
