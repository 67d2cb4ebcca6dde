import CustomDump
import Dispatch
import LifecycleCombine
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// A source's thread that waits for the observers.
@MainActor
@Suite("G7 Where observers run: delivery with a deadline")
struct G07DeadlineTests {
  /// Only a fault reaches it. It lies beyond every clock, which is no trap.
  private nonisolated static let farAway = ContinuousClock.Instant.now + .seconds(1 << 40)
  private nonisolated static var past: ContinuousClock.Instant { .now - .seconds(1) }

  private func lineOf(_ outcome: LifecycleDeliveryOutcome) -> String {
    switch outcome {
    case .finished: "finished"
    case .suppressed(let reason): "suppressed \(reason)"
    case .timedOut(let observer): "timed out, running: \(observer?.description ?? "nobody")"
    }
  }

  @Test("It returns after the last observer", arguments: BusKind.allCases)
  func returnsAfterTheLastObserver(_ kind: BusKind) async throws {
    let bus = kind.make()
    let source = TestSource()
    let connection = try bus.connect(source)
    let trace = Trace()
    let tokens = (1...3).map { number in bus.addObserver { trace("\(number) \($0.shortLine)") } }
    let outcome = await awaitOtherThread {
      let outcome = source.input.sendAndWait(.willEnterForeground, until: Self.farAway)
      trace("returned")
      return outcome
    }
    expectNoDifference(outcome, .finished)
    expectNoDifference(
      trace.lines,
      ["1", "2", "3"].map { "\($0) 1 didFinishLaunching" }
        + ["1", "2", "3"].map { "\($0) 2 willEnterForeground" } + ["returned"]
    )
    for token in tokens { token.cancel() }
    connection.cancel()
  }

  @Test("On the main actor it delivers before it returns")
  func onTheMainActor() throws {
    let bus = LifecycleBus()
    let source = TestSource()
    let connection = try bus.connect(source)
    let trace = Trace()
    let token = bus.addObserver { trace($0.shortLine) }
    expectNoDifference(source.input.sendAndWait(.didFinishLaunching, until: Self.past), .finished)
    expectNoDifference(
      source.input.sendAndWait(.didFinishLaunching, until: Self.past),
      .suppressed(.duplicate)
    )
    expectNoDifference(trace.lines, ["1 didFinishLaunching"])
    token.cancel()
    connection.cancel()
  }

  @Test("A suppressed input is not waited for", arguments: BusKind.allCases)
  func suppressedInputIsNotWaitedFor(_ kind: BusKind) throws {
    let bus = kind.make()
    bus.send(.didFinishLaunching)
    let source = TestSource()
    let connection = try bus.connect(source)
    // The main actor is blocked here: a wait would last until the deadline.
    let duplicate = onOtherThread {
      source.input.sendAndWait(.didFinishLaunching, until: Self.farAway)
    }
    connection.cancel()
    let disconnected = onOtherThread {
      source.input.sendAndWait(.didBecomeActive, until: Self.farAway)
    }
    bus.send(.willTerminate)
    let again = try bus.connect(source)
    let terminated = onOtherThread {
      source.input.sendAndWait(.didBecomeActive, until: Self.farAway)
    }
    again.cancel()
    expectNoDifference(
      [duplicate, disconnected, terminated],
      [.suppressed(.duplicate), .suppressed(.disconnected), .suppressed(.terminated)]
    )
  }

  @Test(
    "At the deadline it names the observer that hangs, with file and line",
    arguments: BusKind.allCases
  )
  func namesTheObserverThatHangs(_ kind: BusKind) async throws {
    let bus = kind.make()
    let source = TestSource()
    let connection = try bus.connect(source)
    let trace = Trace()
    let hangs = ThreadGate()
    let isRunning = ThreadGate()
    let scope = LifecycleScope("screen")
    bus.addObserver(in: scope) { _ in trace("first") }
    let line: UInt = #line + 1
    let token = bus.addObserver(in: scope) { _ in
      isRunning.open()
      hangs.wait()
      trace("second")
    }
    bus.addObserver(in: scope) { _ in trace("third") }
    let outcome = await awaitOtherThread {
      // Accepted and begun by another thread: the deadline has passed when this one asks.
      let asked = DispatchSemaphore(value: 0)
      let result = Locked<LifecycleDeliveryOutcome?>(nil)
      DispatchQueue.global().async {
        isRunning.wait()
        let outcome = source.input.sendAndWait(.systemDidWake, until: .now)
        result.withLock { $0 = outcome }
        hangs.open()
        asked.signal()
      }
      let first = source.input.sendAndWait(.didFinishLaunching, until: Self.farAway)
      asked.wait()
      return (first, result.withLock { $0 })
    }
    expectNoDifference(outcome.0, .finished)
    expectNoDifference(
      outcome.1.map(lineOf),
      "timed out, running: ReactiveLifecycleTests/G07DeadlineTests.swift:\(line) (scope \"screen\")"
    )
    await mainQueueToDrain()
    // Late, but nothing is lost.
    _ = await awaitOtherThread { source.input.sendAndWait(.systemWillSleep, until: Self.farAway) }
    expectNoDifference(
      trace.lines,
      Array(repeating: ["first", "second", "third"], count: 3).flatMap(\.self)
    )
    token.cancel()
    connection.cancel()
  }

  @Test(
    "A main actor that is blocked delays the source up to its deadline, and no observer is named"
  )
  func mainActorIsBlocked() async throws {
    let bus = LifecycleBus()
    let source = TestSource()
    let connection = try bus.connect(source)
    let trace = Trace()
    let token = bus.addObserver { trace($0.shortLine) }
    let outcome = onOtherThread { source.input.sendAndWait(.didFinishLaunching, until: .now) }
    expectNoDifference(outcome, .timedOut(running: nil))
    expectNoDifference(trace.lines, [])
    await mainQueueToDrain()
    expectNoDifference(trace.lines, ["1 didFinishLaunching"])
    token.cancel()
    connection.cancel()
  }

  @Test("Inside an observer of a LifecycleBus it returns at once, and names that observer")
  func insideObserverOfLifecycleBus() throws {
    let bus = LifecycleBus(clock: ManualClock())
    let source = TestSource()
    let connection = try bus.connect(source)
    let trace = Trace()
    let token = bus.addObserver(fileID: "App/Screen.swift", line: 12) { event in
      trace(event.shortLine)
      guard event.kind == .systemWillSleep else { return }
      trace("\(source.input.sendAndWait(.systemDidWake, until: Self.farAway))")
    }
    bus.send(.systemWillSleep)
    expectNoDifference(
      trace.lines,
      ["1 systemWillSleep", "timed out (running: App/Screen.swift:12)", "2 systemDidWake"]
    )
    token.cancel()
    connection.cancel()
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
    let send: @Sendable () -> Void = {
      let (feed, text) = (source.input, ["reason": "lid"])
      let first = feed.sendAndWait(.systemWillSleep, at: early, metadata: text, until: Self.farAway)
      let second = feed.sendAndWait(.systemDidWake, until: Self.farAway)
      #expect(first == .finished && second == .finished)
    }
    send()
    await awaitOtherThread(send)
    expectNoDifference(events.values.map(\.instant), [early, clock.now, early, clock.now])
    let text = ["reason": "lid"]
    expectNoDifference(events.values.map(\.metadata), [text, [:], text, [:]])
    token.cancel()
    connection.cancel()
  }

  @Test("A nonisolated bus calls observers on another thread, so that the deadline holds for them")
  func observersRunElsewhere() async throws {
    let bus = NonisolatedLifecycleBus(clock: ManualClock())
    let source = TestSource()
    let connection = try bus.connect(source)
    let caller = Locked<ObjectIdentifier?>(nil)
    let isRunning = ThreadGate()
    let hangs = ThreadGate()
    let token = bus.addObserver { _ in
      isRunning.open()
      // Here it would hang forever.
      if caller.withLock({ $0 }) != currentThread() { hangs.wait() }
    }
    let outcome = await awaitOtherThread {
      caller.withLock { $0 = currentThread() }
      let outcome = source.input.sendAndWait(.didFinishLaunching, until: .now + .milliseconds(10))
      // The observer compares the threads while both exist.
      isRunning.wait()
      hangs.open()
      return outcome
    }
    if case .timedOut = outcome {} else { Issue.record("\(outcome)") }
    token.cancel()
    connection.cancel()
  }

  @Test("Inside an observer of a nonisolated bus it waits in vain, until the deadline")
  func insideObserverOfNonisolatedBus() async throws {
    let bus = NonisolatedLifecycleBus(clock: ManualClock())
    let source = TestSource()
    let connection = try bus.connect(source)
    let trace = Trace()
    let isDone = AsyncGate()
    let line: UInt = #line + 1
    let token = bus.addObserver { event in
      trace("\(event.kind)")
      guard event.kind == .systemWillSleep else { return isDone.open() }
      let clock = ContinuousClock()
      var outcome: LifecycleDeliveryOutcome?
      let waited = clock.measure {
        outcome = source.input.sendAndWait(.systemDidWake, until: clock.now + .milliseconds(100))
      }
      // Less than the deadline: the thread may be preempted between the readings of two clocks.
      trace("waited: \(waited >= .milliseconds(50))")
      trace("running line: \(outcome?.runningObserver?.line == line)")
    }
    await awaitOtherThread { _ = bus.send(.systemWillSleep) }
    await isDone.opened()
    expectNoDifference(
      trace.lines,
      ["systemWillSleep", "waited: true", "running line: true", "systemDidWake"]
    )
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
      UncheckedBox<LifecycleSubscription>(), UncheckedBox<LifecycleSubscription>()
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

  @Test("Between observers no observer is named", arguments: BusKind.allCases)
  func nobodyRuns(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let note: @Sendable (String) -> Void = { [unowned bus] in trace("\($0): \(running(bus))") }
    let scope = LifecycleScope()
    scope.onEnd { note("scope ends") }
    scope.end(at: .didFinishLaunching, of: bus)
    let box = UncheckedBox<LifecycleSubscription>()
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
) -> LifecycleSubscription {
  bus.addObserver(catchUp: catchUp, line: line) { [unowned bus] event in
    then(event)
    trace(running(bus))
  }
}

private func running(_ bus: any LifecycleBusProtocol) -> String {
  guard let observer = bus.core.runningObserver else { return "nobody" }
  return observer.line.map { "line \($0)" } ?? "no line"
}
