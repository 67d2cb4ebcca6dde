import CustomDump
import LifecycleCombine
import LifecycleCore
import LifecycleSupport
import LifecycleTesting
import TestSupport
import Testing

/// A source's thread that waits for the observers.
@MainActor
@Suite("G7 Where observers run: sending with a completion")
struct G07CompletionTests {
  @Test("The completion follows the last observer of all steps", arguments: BusKind.allCases)
  func followsTheLastObserver(_ kind: BusKind) async throws {
    let bus = kind.make()
    let source = TestSource()
    let connection = try bus.connect(source)
    let trace = Trace()
    let tokens = (1...3).map { number in bus.addObserver { trace("\(number) \($0.shortLine)") } }
    let outcome = await awaitOtherThread {
      let outcome = source.feed.sendAndBlock(.willEnterForeground)
      trace("returned")
      return outcome
    }
    expectNoDifference(outcome, .queued)
    expectNoDifference(
      trace.lines,
      ["1", "2", "3"].map { "\($0) 1 didFinishLaunching" }
        + ["1", "2", "3"].map { "\($0) 2 willEnterForeground" } + ["returned"]
    )
    for token in tokens { token.cancel() }
    connection.cancel()
  }

  @Test(
    "A completion is called after the end or the release of the bus, too",
    arguments: BusKind.allCases
  )
  func afterTheEnd(_ kind: BusKind) async throws {
    for isReleased in [false, true] {
      let source = TestSource()
      var bus = Optional(kind.make())
      let connection = try bus?.connect(source)
      if isReleased { bus = nil } else { bus?.send(.willTerminate) }
      let outcome = await awaitOtherThread { source.feed.sendAndBlock(.systemDidWake) }
      expectNoDifference(outcome, .suppressed(.terminated))
      connection?.cancel()
    }
  }

  @Test(
    "The event has the instant and the metadata; without an instant it happens now",
    arguments: BusKind.allCases
  )
  func instantAndMetadata(_ kind: BusKind) async throws {
    let clock = ManualClock()
    let bus = kind.make(clock: clock)
    let source = TestSource()
    let connection = try bus.connect(source)
    let events = Collector<LifecycleEvent>()
    let token = bus.addObserver { events($0) }
    let early = clock.now
    clock.advance(by: .seconds(5))
    await awaitOtherThread {
      source.feed.send(.systemWillSleep, at: early, metadata: ["reason": "lid"]) {}
      _ = source.feed.sendAndBlock(.systemDidWake)
    }
    expectNoDifference(events.values.map(\.instant), [early, clock.now])
    expectNoDifference(events.values.map(\.metadata), [["reason": "lid"], [:]])
    token.cancel()
    connection.cancel()
  }

  @Test("A nonisolated bus calls observers on another thread, so that a wait for them can end")
  func observersRunElsewhere() async throws {
    let bus = NonisolatedLifecycleBus(clock: ManualClock())
    let source = TestSource()
    let connection = try bus.connect(source)
    let observing = Locked<ObjectIdentifier?>(nil)
    let token = bus.addObserver { _ in observing.withLock { $0 = currentThread() } }
    let caller = await awaitOtherThread {
      let isSent = ThreadGate()
      // The observer compares the threads while both exist.
      source.feed.send(.didFinishLaunching) { isSent.open() }
      isSent.wait()
      return currentThread()
    }
    #expect(observing.withLock { $0 } != caller)
    token.cancel()
    connection.cancel()
  }

  // MARK: Which observer runs

  @Test(
    "The observer being called is known in events, catch-ups and streams; a dead one is passed over",
    arguments: BusKind.allCases
  )
  func runningObserverIsKnown(_ kind: BusKind) {
    let bus = kind.make()
    bus.send(.didFinishLaunching)
    let trace = Trace()
    let (joining, dying) = (
      UncheckedBox<LifecycleCancellable>(), UncheckedBox<LifecycleCancellable>()
    )
    let first = observe(bus, trace, line: 11) { [unowned bus] event in
      guard event.kind == .systemWillSleep else { return }
      dying.value?.cancel()
      bus.send(.systemDidWake)
      joining.value = observe(bus, trace, line: 14, catchUp: .currentPhase)
    }
    dying.value = observe(bus, trace, line: 12)
    let last = observe(bus, trace, line: 13)
    bus.send(.systemWillSleep)
    expectNoDifference(
      trace.take(),
      ["line 11", "line 13", "line 14", "line 11", "line 13", "line 14"]
    )
    expectNoDifference(running(bus), "nobody")
    for token in [first, last] { token.cancel() }
    joining.value?.cancel()
    let note: @Sendable (String) -> Void = { [unowned bus] in trace("\($0): \(running(bus))") }
    let sinks = [
      bus.phases.sink { _ in
        note("phases finished")
      } receiveValue: {
        note("\($0)")
      },
      bus.publisher(for: .systemDidWake, line: 21).sink { _ in
        note("publisher finished")
      } receiveValue: {
        note("\($0.kind)")
      },
      bus.suppressedInputs.sink { note("\($0.kind)") },
    ]
    let subscriber = RawSubscriber<LifecycleEvent>(trace) { [unowned bus] event in
      "\(event.kind): \(running(bus))"
    }
    bus.publisher(for: .systemWillSleep, line: 22).subscribe(subscriber)
    bus.send(all: .systemDidWake, .didFinishLaunching, .systemWillSleep)
    expectNoDifference(
      trace.take(),
      [
        "background: no line", "subscription", "systemDidWake: line 21",
        "didFinishLaunching: no line",
      ]
    )
    subscriber.request(1)
    expectNoDifference(trace.take(), ["systemWillSleep: line 22"])
    expectNoDifference(running(bus), "nobody")
    bus.send(.willTerminate)
    expectNoDifference(
      trace.lines,
      [
        "terminated: no line", "phases finished: no line", "publisher finished: line 21",
        "finished",
      ]
    )
    expectNoDifference(running(bus), "nobody")
    for sink in sinks { sink.cancel() }
  }

  @Test(
    "No observer is named while a scope ends or captures are released",
    arguments: BusKind.allCases
  )
  func nobodyRuns(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let note: @Sendable (String) -> Void = { [unowned bus] in trace("\($0): \(running(bus))") }
    let scope = LifecycleScope()
    scope.onEnd { note("scope ends") }
    scope.end(at: .didFinishLaunching, of: bus)
    let box = UncheckedBox<LifecycleCancellable>()
    do {
      let canary = Canary { note("released") }
      box.value = bus.addObserver(line: 31) { _ in
        canary.sing()
        note("event")
        box.value?.cancel()
      }
    }
    bus.send(.didFinishLaunching)
    expectNoDifference(
      trace.take(),
      ["event: line 31", "scope ends: nobody", "released: nobody"]
    )
    let last = LifecycleScope()
    last.onEnd { note("last scope ends") }
    last.end(at: .systemDidWake, of: bus)
    let sink = bus.phases.dropFirst().sink { note("\($0)") }
    bus.send(.willTerminate)
    expectNoDifference(trace.lines, ["terminated: no line", "last scope ends: nobody"])
    sink.cancel()
  }
}

/// Registers an observer that traces in which line the one being called was registered.
private func observe(
  _ bus: any LifecycleBusProtocol,
  _ trace: Trace,
  line: UInt,
  catchUp: LifecycleCatchUp = .nothing,
  _ then: @escaping @Sendable (LifecycleEvent) -> Void = { _ in }
) -> LifecycleCancellable {
  bus.addObserver(catchUp: catchUp, line: line) { [unowned bus] event in
    then(event)
    trace(running(bus))
  }
}

private func running(_ bus: any LifecycleBusProtocol) -> String {
  guard let observer = bus.core.runningObserver else { return "nobody" }
  return observer.line.map { "line \($0)" } ?? "no line"
}

extension LifecycleFeed {
  /// Sends an input, and blocks the thread until the observers have returned.
  func sendAndBlock(_ kind: LifecycleEvent.Kind) -> LifecycleSendResult {
    let isDone = ThreadGate()
    let outcome = send(kind) { isDone.open() }
    isDone.wait()
    return outcome
  }
}
