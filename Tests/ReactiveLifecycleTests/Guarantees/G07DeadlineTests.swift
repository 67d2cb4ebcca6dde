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
  /// Far enough that only a fault reaches it.
  private nonisolated static let farAway = ContinuousClock.Instant.now + .seconds(86_400)
  private nonisolated static var past: ContinuousClock.Instant { .now - .seconds(1) }

  private func lineOf(_ outcome: LifecycleDeliveryOutcome) -> String {
    if let reason = outcome.suppressionReason { return "suppressed \(reason)" }
    guard outcome.isTimedOut else { return "finished" }
    return "timed out, running: \(outcome.runningObserver?.description ?? "nobody")"
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
    let token = hanging(bus, in: scope, line: line) {
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
      "timed out, running: ReactiveLifecycleTests/Hanging.swift:\(line) (scope \"screen\")"
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

  private func hanging(
    _ bus: any LifecycleBusProtocol,
    in scope: LifecycleScope,
    line: UInt,
    _ body: @escaping @Sendable () -> Void
  ) -> LifecycleSubscription {
    let file: StaticString = "ReactiveLifecycleTests/Hanging.swift"
    if let bus = bus as? LifecycleBus {
      return bus.addObserver(in: scope, fileID: file, line: line) { _ in body() }
    }
    let bus = bus as! NonisolatedLifecycleBus
    return bus.addObserver(in: scope, fileID: file, line: line) { _ in body() }
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

  @Test("A deadline that lies beyond every clock is no trap", arguments: BusKind.allCases)
  func absurdDeadline(_ kind: BusKind) async throws {
    let bus = kind.make()
    let source = TestSource()
    let connection = try bus.connect(source)
    let outcome = await awaitOtherThread {
      source.input.sendAndWait(.didFinishLaunching, until: .now + .seconds(1 << 40))
    }
    expectNoDifference(outcome, .finished)
    connection.cancel()
  }

  @Test("A source is started by connect, and stopped once", arguments: BusKind.allCases)
  func sourceIsStartedByConnect(_ kind: BusKind) throws {
    let bus = kind.make()
    let trace = Trace()
    let source = TestSource("remote", trace: trace)
    var connection: LifecycleCancellable? = try bus.connect(source)
    connection?.cancel()
    connection?.cancel()
    connection = nil
    expectNoDifference(trace.take(), ["remote started", "remote stopped"])
    connection = try bus.connect(source)
    connection = nil
    expectNoDifference(trace.take(), ["remote started", "remote stopped"])
    let scope = LifecycleScope()
    try bus.connect(source).store(in: scope)
    expectNoDifference(trace.take(), ["remote started"])
    scope.end()
    expectNoDifference(trace.take(), ["remote stopped"])
    expectNoDifference(source.input.send(.didFinishLaunching), .suppressed(.disconnected))
  }

  @Test("Between observers no observer is named", arguments: BusKind.allCases)
  func nobodyRuns(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let report: @Sendable (String) -> Void = { [unowned bus] name in
      trace("\(name): \(bus.core.runningObserver == nil ? "nobody" : "somebody")")
    }
    // A scope that ends at an event does so after the last observer of that event.
    let scope = LifecycleScope()
    AnyCancellable { report("scope ends") }.store(in: scope)
    scope.end(at: .systemWillSleep, of: bus)
    // What an observer captured is released after the last observer of what it left in.
    let box = UncheckedBox<LifecycleSubscription>()
    do {
      let canary = Canary { report("left in an event") }
      box.value = bus.addObserver(for: [.didFinishLaunching]) { _ in
        canary.sing()
        report("event")
        box.value?.cancel()
      }
    }
    bus.send(.didFinishLaunching)
    bus.send(.systemWillSleep)
    do {
      let canary = Canary { report("left in a suppression") }
      let subscriber = RawSubscriber<SuppressedInput>(Trace(), demand: .unlimited) { _ in "" }
      subscriber.furtherDemand = { [unowned subscriber] _ in
        canary.sing()
        report("suppression")
        subscriber.cancel()
        return .none
      }
      bus.suppressedInputs.subscribe(subscriber)
    }
    bus.send(.didFinishLaunching)
    let token: LifecycleSubscription
    do {
      let canary = Canary { report("left at the end") }
      token = bus.addObserver(for: [.systemDidWake]) { _ in canary.sing() }
    }
    bus.send(.willTerminate)
    report("idle")
    expectNoDifference(
      trace.lines,
      [
        "event: somebody", "left in an event: nobody", "scope ends: nobody",
        "suppression: somebody", "left in a suppression: nobody", "left at the end: nobody",
        "idle: nobody",
      ]
    )
    token.cancel()
  }
}
