import CustomDump
import LifecycleCombine
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("Sources that are connected while the bus is observed")
@MainActor
struct ConnectWhileObservedTests {
  let trace = Trace()

  struct StartError: Error, CustomStringConvertible {
    var description: String { "There is no sensor. Plug one in." }
  }

  /// A source whose start does what a test wants.
  struct ClosureSource: LifecycleSource {
    let name: LifecycleSourceName = "closure"
    let body: @Sendable (LifecycleFeed) throws -> @Sendable () -> Void

    func start(_ input: LifecycleFeed) throws -> @Sendable () -> Void { try body(input) }
  }

  /// Writes when it starts and stops, and reports that the process is active.
  var source: ClosureSource {
    ClosureSource { [trace] input in
      trace("start")
      input.send(.didBecomeActive)
      return { trace("stop") }
    }
  }

  @Test(
    "The first observer starts it, the last one stops it, in every form of observer",
    arguments: BusKind.allCases,
    ObserverForm.ofStreams
  )
  func everyForm(_ kind: BusKind, _ form: ObserverForm) {
    let bus = kind.make()
    let connection = bus.connectWhileObserved(source)
    expectNoDifference(trace.take(), [])
    for _ in 1...3 {
      let first = form.observe(bus) { _ in }
      expectNoDifference(trace.take(), ["start"])
      #expect(bus.phase == .active)
      let second = form.observe(bus) { _ in }
      first.cancel()
      expectNoDifference(trace.take(), [])
      second.cancel()
      expectNoDifference(trace.take(), ["stop"])
      #expect(bus.phase == .active)
    }
    connection.cancel()
  }

  @Test("The first observer receives the phase that the source finds", arguments: BusKind.allCases)
  func firstObserver(_ kind: BusKind) {
    let bus = kind.make()
    let connection = bus.connectWhileObserved(source)
    let token = bus.addObserver { [trace] in trace("\($0.kind)") }
    expectNoDifference(
      trace.take(),
      ["start", "didFinishLaunching", "willEnterForeground", "didBecomeActive"]
    )
    token.cancel()
    connection.cancel()
  }

  @Test("Sequences and waiting tasks are observers", arguments: BusKind.allCases)
  func sequencesAndTasks(_ kind: BusKind) async {
    let bus = kind.make()
    let connection = bus.connectWhileObserved(source)
    var sequence: LifecycleSequence<LifecycleEvent>? = bus.events.asyncSequence()
    expectNoDifference(trace.take(), ["start"])
    _ = sequence.take()
    expectNoDifference(trace.take(), ["stop"])
    let task = Task { try await bus.waitUntil(.atMost(.background)) }
    await mainQueueToDrain()
    expectNoDifference(trace.take(), ["start"])
    bus.send(.didEnterBackground)
    await #expect(throws: Never.self) { try await task.value }
    expectNoDifference(trace.take(), ["stop"])
    connection.cancel()
  }

  @Test("Only observers of its kinds count", arguments: BusKind.allCases)
  func kinds(_ kind: BusKind) {
    let bus = kind.make()
    let connection = bus.connectWhileObserved(source, for: .didReceiveMemoryWarning)
    let other = bus.addObserver(for: .transitions) { _ in }
    let exit = bus.onExitRequest { _ in .exit }
    let suppressed = bus.suppressedInputs.sink { _ in }
    let scope = LifecycleScope()
    scope.end(at: .didReceiveMemoryWarning, of: bus)
    expectNoDifference(trace.take(), [])
    let one = bus.addObserver(for: [.didReceiveMemoryWarning, .systemDidWake]) { _ in }
    expectNoDifference(trace.take(), ["start"])
    one.cancel()
    expectNoDifference(trace.take(), ["stop"])
    for token in [other, exit, one] { token.cancel() }
    scope.end()
    suppressed.cancel()
    connection.cancel()
  }

  @Test(
    "Observers from before count, and a test's transcript does not",
    arguments: BusKind.allCases
  )
  func observersFromBefore(_ kind: BusKind) {
    let process = kind.process()
    process.perform(.launch)
    process.takeTranscript()
    let token = process.bus.addObserver { _ in }
    let connection = process.bus.connectWhileObserved(source)
    expectNoDifference(trace.take(), ["start"])
    token.cancel()
    expectNoDifference(trace.take(), ["stop"])
    connection.cancel()
  }

  @Test("Observers that left before do not count, wherever they stood", arguments: BusKind.allCases)
  func observersThatLeftBefore(_ kind: BusKind) {
    let bus = kind.make()
    let tokens = (1...3).map { _ in bus.addObserver { _ in } }
    // The bus keeps the row of an observer that was not the last.
    tokens[1].cancel()
    let connection = bus.connectWhileObserved(source)
    expectNoDifference(trace.take(), ["start"])
    tokens[0].cancel()
    expectNoDifference(trace.take(), [])
    tokens[2].cancel()
    expectNoDifference(trace.take(), ["stop"])
    connection.cancel()
  }

  @Test("An observer that another one replaces changes nothing", arguments: BusKind.allCases)
  func replaced(_ kind: BusKind) {
    let bus = kind.make()
    let scope = LifecycleScope()
    let connection = bus.connectWhileObserved(source)
    for _ in 1...3 { bus.addObserver(in: scope, id: "view") { _ in } }
    expectNoDifference(trace.take(), ["start"])
    scope.end()
    expectNoDifference(trace.take(), ["stop"])
    connection.cancel()
  }

  @Test("An owner that was released counts until the bus notices", arguments: BusKind.allCases)
  func deadOwner(_ kind: BusKind) {
    let bus = kind.make()
    let connection = bus.connectWhileObserved(source)
    var owner: Owner? = Owner()
    bus.addObserver(owner!) { _, _ in }
    expectNoDifference(trace.take(), ["start"])
    owner = nil
    expectNoDifference(trace.take(), [])
    bus.send(.systemDidWake)
    expectNoDifference(trace.take(), ["stop"])
    connection.cancel()
  }

  @Test(
    "An owner that was released counts until others register, whatever happens meanwhile",
    arguments: BusKind.allCases
  )
  func deadOwnerWhileOthersRegister(_ kind: BusKind) {
    let bus = kind.make()
    let connection = bus.connectWhileObserved(source, for: .systemDidWake)
    var owner: Owner? = Owner()
    bus.addObserver(owner!, for: .systemDidWake) { _, _ in }
    owner = nil
    bus.send(.systemWillSleep)
    expectNoDifference(trace.take(), ["start"])
    bus.addObserver(for: .systemWillSleep) { _ in }.cancel()
    expectNoDifference(trace.take(), ["stop"])
    connection.cancel()
  }

  // MARK: Re-entrancy

  @Test("In a delivery it starts and stops after the event, for observers that are there then")
  func inDelivery() {
    let bus = NonisolatedLifecycleBus(clock: ManualClock())
    let scope = LifecycleScope()
    let connection = bus.connectWhileObserved(source, for: .didReceiveMemoryWarning)
    let token = bus.addObserver(for: .systemDidWake) { [trace, unowned bus] _ in
      for _ in 1...2 { bus.addObserver(for: .didReceiveMemoryWarning) { _ in }.cancel() }
      if scope.isEnded { return }
      bus.addObserver(for: .didReceiveMemoryWarning, in: scope) { _ in }
      trace("observer returns")
    }
    bus.send(.systemDidWake)
    expectNoDifference(trace.take(), ["observer returns", "start"])
    let last = bus.addObserver(for: .systemWillSleep) { [trace] _ in
      scope.end()
      trace("observer returns")
    }
    bus.send(all: .systemDidWake, .systemWillSleep, .systemDidWake)
    expectNoDifference(
      trace.take(),
      ["observer returns", "observer returns", "stop"]
    )
    last.cancel()
    token.cancel()
    connection.cancel()
  }

  @Test("The start observes, and ends the last observer; the stop observes again")
  func reentrant() {
    let bus = NonisolatedLifecycleBus(clock: ManualClock())
    let scope = LifecycleScope()
    let starts = Counter()
    let source = ClosureSource { [trace, unowned bus] _ in
      trace("start")
      let count = starts.add()
      bus.addObserver { _ in }.cancel()
      if count == 1 { scope.end() }
      return {
        trace("stop")
        if count == 1 {
          let token = bus.addObserver { _ in }
          trace("observed again")
          token.cancel()
        }
      }
    }
    let connection = bus.connectWhileObserved(source)
    bus.addObserver(in: scope) { _ in }
    expectNoDifference(trace.take(), ["start", "stop", "observed again"])
    connection.cancel()
  }

  @Test("The start cancels the connection: it stops at once, and never starts again")
  func cancelledByStart() {
    let bus = NonisolatedLifecycleBus(clock: ManualClock())
    let connection = Locked<LifecycleCancellable?>(nil)
    let source = ClosureSource { [trace] _ in
      trace("start")
      connection.withLock { $0 }?.cancel()
      return { trace("stop") }
    }
    connection.exchange(bus.connectWhileObserved(source))
    for _ in 1...2 { bus.addObserver { _ in }.cancel() }
    expectNoDifference(trace.take(), ["start", "stop"])
  }

  // MARK: Failure

  @Test(
    "A start that fails is reported at the caller's line, and tried again",
    arguments: BusKind.allCases
  )
  func failure(_ kind: BusKind) {
    let bus = kind.make()
    let attempts = Counter()
    let source = ClosureSource { [trace] _ in
      if attempts.add() < 3 { throw StartError() }
      trace("start")
      return { trace("stop") }
    }
    let connection = bus.connectWhileObserved(source, line: 7)
    for _ in 1...2 {
      expectReportedIssue(
        """
        The source "closure" could not start when the bus began to be observed: There is no \
        sensor. Plug one in. It is started again with the next first observer. To handle the \
        error, pass `onFailure`.
        """,
        line: 7
      ) {
        let tokens = (1...2).map { _ in bus.addObserver { _ in } }
        for token in tokens { token.cancel() }
      }
    }
    bus.addObserver { _ in }.cancel()
    expectNoDifference(trace.take(), ["start", "stop"])
    connection.cancel()
    #expect(bus.diagnostics.participants.isEmpty)
  }

  @Test("A start that fails calls the closure", arguments: BusKind.allCases)
  func failureClosure(_ kind: BusKind) {
    let bus = kind.make()
    let source = ClosureSource { _ in throw StartError() }
    let connection = bus.connectWhileObserved(source) { [trace] in trace("\($0)") }
    bus.addObserver { _ in }.cancel()
    expectNoDifference(trace.take(), ["There is no sensor. Plug one in."])
    connection.cancel()
  }

  // MARK: The end

  @Test(
    "Cancelling and releasing the connection stop it for good",
    arguments: BusKind.allCases,
    [false, true]
  )
  func cancelled(_ kind: BusKind, isReleased: Bool) {
    let bus = kind.make()
    var connection: LifecycleCancellable? = bus.connectWhileObserved(source)
    let token = bus.addObserver { _ in }
    expectNoDifference(trace.take(), ["start"])
    if isReleased { connection = nil } else { connection?.cancel() }
    expectNoDifference(trace.take(), ["stop"])
    bus.addObserver { _ in }.cancel()
    token.cancel()
    bus.addObserver { _ in }.cancel()
    expectNoDifference(trace.take(), [])
  }

  @Test(
    "The end of the bus stops it, and on an ended bus it never starts",
    arguments: BusKind.allCases
  )
  func endOfTheBus(_ kind: BusKind) {
    let bus = kind.make()
    let connection = bus.connectWhileObserved(source)
    let token = bus.addObserver { _ in }
    bus.send(.willTerminate)
    expectNoDifference(trace.take(), ["start", "stop"])
    let late = bus.connectWhileObserved(source)
    bus.addObserver { _ in }.cancel()
    expectNoDifference(trace.take(), [])
    for cancellable in [connection, late] { cancellable.cancel() }
    token.cancel()
  }

  @Test("The release of the bus stops it, and releases everything", arguments: BusKind.allCases)
  func releaseOfTheBus(_ kind: BusKind) {
    var bus: (any LifecycleBusProtocol)? = kind.make()
    func connect(_ bus: any LifecycleBusProtocol) -> LifecycleCancellable {
      let canary = Canary { [trace] in trace("released") }
      let source = ClosureSource { [trace] _ in
        canary.sing()
        trace("start")
        return { trace("stop") }
      }
      return bus.connectWhileObserved(source)
    }
    let connection = connect(bus!)
    let token = bus?.addObserver { _ in }
    expectNoDifference(trace.take(), ["start"])
    bus = nil
    expectNoDifference(trace.take(), ["stop", "released"])
    token?.cancel()
    connection.cancel()
  }

  @Test("Two connections, each for its own kinds", arguments: BusKind.allCases)
  func two(_ kind: BusKind) {
    let bus = kind.make()
    let sources = (1...2).map { TestSource(LifecycleSourceName(rawValue: "\($0)"), trace: trace) }
    let connections = [
      bus.connectWhileObserved(sources[0], for: .systemDidWake),
      bus.connectWhileObserved(sources[1], for: .didReceiveMemoryWarning),
    ]
    let one = bus.addObserver(for: .systemDidWake) { _ in }
    let both = bus.addObserver { _ in }
    expectNoDifference(trace.take(), ["1 started", "2 started"])
    one.cancel()
    expectNoDifference(trace.take(), [])
    connections[0].cancel()
    expectNoDifference(trace.take(), ["1 stopped"])
    both.cancel()
    expectNoDifference(trace.take(), ["2 stopped"])
    connections[1].cancel()
  }

  // MARK: Threads

  @Test(
    "Threads: starts and stops alternate, and it ends as it should",
    arguments: BusKind.allCases
  )
  func threads(_ kind: BusKind) async {
    let bus = kind.make()
    for round in 1...100 {
      let running = Counter()
      let starts = Counter()
      let source = ClosureSource { _ in
        #expect(running.add() == 1, "two at a time")
        starts.add()
        return { running.subtract() }
      }
      let connection = bus.connectWhileObserved(source)
      await awaitOtherThreads(round.isMultiple(of: 4) ? 5 : 4) { thread in
        guard thread < 4 else { return connection.cancel() }
        for _ in 1...10 { bus.addObserver { _ in }.cancel() }
        let tokens = (1...40).map { _ in bus.addObserver { _ in } }
        for token in tokens { token.cancel() }
      }
      await mainQueueToDrain()
      #expect(running.count == 0)
      if !round.isMultiple(of: 4) {
        // On the main actor nobody may be there by the time the bus delivers.
        #expect(kind == .mainActor || starts.count >= 1)
        let token = bus.addObserver { _ in }
        #expect(running.count == 1)
        token.cancel()
        #expect(running.count == 0)
      }
      connection.cancel()
    }
  }
}
