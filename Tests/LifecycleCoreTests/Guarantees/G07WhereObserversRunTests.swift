import CustomDump
import LifecycleCombine
import LifecycleCore
import LifecycleSupport
import LifecycleTesting
import TestSupport
import Testing

@MainActor
@Suite("G7 Where observers run")
struct G07WhereObserversRunTests {
  @Test("Sent on the main actor, an input is delivered when send returns")
  func synchronousOnMainActor() {
    let bus = LifecycleBus()
    let trace = Trace()
    let token = bus.addObserver { event in
      MainActor.assertIsolated()
      trace(event.shortLine)
    }
    expectNoDifference(bus.send(.willEnterForeground), .delivered)
    trace("sent")
    token.cancel()
    expectNoDifference(trace.lines, ["1 didFinishLaunching", "2 willEnterForeground", "sent"])
  }

  @Test("Sent from another thread, inputs follow on the main actor, in order, without loss")
  func sentFromAnotherThread() async {
    let bus = LifecycleBus()
    let trace = Trace()
    let token = bus.addObserver { event in
      MainActor.assertIsolated()
      trace(event.metadata["number"] ?? "-")
    }
    let outcomes = onOtherThread {
      (1...100).map { bus.send(.systemDidWake, metadata: ["number": "\($0)"]).line }
    }
    // The main actor was blocked meanwhile: nothing can have been delivered.
    expectNoDifference(trace.lines, [])
    expectNoDifference(outcomes, Array(repeating: "queued", count: 100))
    expectNoDifference(bus.phase, .unknown)
    // An input from the main actor comes after them, and takes them along.
    expectNoDifference(bus.send(.systemDidWake, metadata: ["number": "101"]), .delivered)
    expectNoDifference(trace.lines, (1...101).map(String.init))
    _ = onOtherThread { bus.send(.systemDidWake, metadata: ["number": "102"]) }
    await mainQueueToDrain()
    expectNoDifference(trace.lines, (1...102).map(String.init))
    token.cancel()
  }

  @Test("Sent from other threads at once, each thread's inputs keep their order")
  func hopFromManyThreads() async {
    let bus = LifecycleBus()
    let trace = Trace()
    let token = bus.addObserver { event in
      MainActor.assertIsolated()
      trace(event.metadata["number"] ?? "-")
    }
    await awaitOtherThreads(4) { thread in
      for number in 1...100 {
        bus.send(.systemDidWake, metadata: ["number": "\(thread).\(number)"])
      }
    }
    await mainQueueToDrain()
    token.cancel()
    for thread in 0..<4 {
      expectNoDifference(
        trace.lines.filter { $0.hasPrefix("\(thread).") },
        (1...100).map { "\(thread).\($0)" }
      )
    }
    expectNoDifference(trace.lines.count, 400)
  }

  /// The work that another thread causes without end.
  enum Flood: CaseIterable {
    case events, registrations, cancellations
  }

  @Test(
    "A thread that sends, joins or leaves without end does not hold up send on the main actor",
    arguments: Flood.allCases
  )
  func flood(_ flood: Flood) async {
    let bus = LifecycleBus()
    let scope = LifecycleScope("flood")
    let (count, limit) = (Counter(), 4_000)
    // Whenever one is done, another thread adds the next.
    @Sendable func add() {
      guard count.add() < limit else { return }
      onOtherThread {
        switch flood {
        case .events: bus.send(.systemDidWake)
        case .registrations:
          bus.addObserver(for: .didFinishLaunching, in: scope, catchUp: .path) { _ in add() }
        case .cancellations:
          let canary = Canary { add() }
          bus.addObserver { _ in canary.sing() }.cancel()
        }
      }
    }
    bus.send(.didFinishLaunching)
    bus.addObserver(for: .systemDidWake, in: scope) { _ in add() }
    add()
    expectNoDifference(bus.send(.didBecomeActive), .delivered)
    expectNoDifference(bus.phase, .active)
    #expect(count.count < limit)
    // The rest follows.
    while count.count < limit { await mainQueueToDrain() }
    scope.end()
  }

  @Test("send on the main actor returns after all that observers sent in turn")
  func chain() {
    let bus = LifecycleBus()
    let (count, limit) = (Counter(), 4_000)
    let token = bus.addObserver(for: [.didBecomeActive, .systemDidWake]) { [weak bus] _ in
      if count.add() < limit { bus?.send(.systemDidWake) }
    }
    bus.send(.didBecomeActive)
    expectNoDifference(count.count, limit)
    token.cancel()
  }

  @Test("An input sent on the main actor after an await is delivered at once")
  func mainActorOnWorkerThread() async {
    let bus = LifecycleBus()
    let trace = Trace()
    let token = bus.addObserver { event in
      MainActor.assertIsolated()
      trace(event.shortLine)
    }
    for _ in 1...20 {
      await Task.yield()
      await awaitOtherThread {}
      expectNoDifference(bus.send(.systemDidWake), .delivered)
    }
    token.cancel()
    expectNoDifference(trace.lines, (1...20).map { "\($0) systemDidWake" })
  }

  @Test("All forms of observers of a LifecycleBus run on the main actor")
  func everyFormOnMainActor() async {
    let bus = LifecycleBus()
    let trace = Trace()
    let registrations = await awaitOtherThread {
      let registrations = ObserverForm.allCases.map { form in
        form.observe(bus) {
          MainActor.assertIsolated()
          trace($0)
        }
      }
      let token = bus.addObserver(catchUp: .path) { _ in MainActor.assertIsolated() }
      bus.send(all: .didEnterBackground, .didEnterBackground, .willEnterForeground)
      return UncheckedBox((registrations, token))
    }
    await mainQueueToDrain()
    for form in ObserverForm.allCases {
      #expect(trace.lines.contains(form.rawValue), "\(form)")
    }
    for registration in registrations.value!.0 { registration.cancel() }
  }

  @Test("An observer that joins on another thread catches up on the main actor")
  func catchUpFromOtherThread() async {
    let bus = LifecycleBus()
    bus.send(.willEnterForeground)
    let trace = Trace()
    let token = onOtherThread {
      bus.addObserver(catchUp: .path) { event in
        MainActor.assertIsolated()
        trace(event.line)
      }
    }
    expectNoDifference(trace.lines, [])
    await mainQueueToDrain()
    expectNoDifference(
      trace.lines,
      [
        "2 didFinishLaunching unknown→background catchUp",
        "2 willEnterForeground background→inactive catchUp",
      ]
    )
    token.cancel()
  }

  @Test("What another thread asked for comes before an input sent on the main actor")
  func askedForOnAnotherThread() {
    let (bus, trace) = (LifecycleBus(clock: ManualClock()), Trace())
    bus.send(.didFinishLaunching)
    let leaving: LifecycleCancellable
    do {
      let canary = Canary { trace("released") }
      leaving = bus.addObserver { _ in canary.sing() }
    }
    let token = bus.addObserver { trace("A \($0.kind)") }
    let slow = RawSubscriber<LifecycleEvent>(trace) { "slow \($0.kind)" }
    bus.events.subscribe(slow)
    bus.send(.systemDidWake)
    expectNoDifference(trace.take(), ["subscription", "A systemDidWake"])
    let late = onOtherThread {
      bus.send(.didFinishLaunching)
      slow.request(1)
      leaving.cancel()
      return bus.addObserver(catchUp: .path) { trace("late \($0.kind)") }
    }
    expectNoDifference(trace.take(), [])
    expectNoDifference(bus.send(.systemWillSleep), .delivered)
    expectNoDifference(
      trace.take(),
      [
        "slow systemDidWake", "released", "late didFinishLaunching", "A systemWillSleep",
        "late systemWillSleep",
      ]
    )
    for token in [token, late] { token.cancel() }
    slow.cancel()
  }

  @Test("A nonisolated bus delivers on the sending thread what others send meanwhile")
  func onSendingThread() async {
    let bus = NonisolatedLifecycleBus()
    let threads = Locked<[ObjectIdentifier]>([])
    let outcomes = Trace()
    let token = bus.addObserver { [unowned bus] event in
      let thread = currentThread()
      threads.withLock { $0.append(thread) }
      guard event.sequenceNumber == 1 else { return }
      outcomes(onOtherThread { bus.send(.systemWillSleep).line })
    }
    expectNoDifference(bus.send(.systemDidWake), .delivered)
    let here = currentThread()
    let (other, outcome) = await awaitOtherThread {
      let outcome = bus.send(.systemDidWake)
      return (currentThread(), outcome)
    }
    expectNoDifference(outcome, .delivered)
    expectNoDifference(outcomes.lines, ["queued"])
    expectNoDifference(threads.withLock { $0 }, [here, here, other])
    token.cancel()
  }

  @Test("A nonisolated bus makes one delivery at a time, and send does not wait")
  func oneDeliveryAtATime() async {
    let bus = NonisolatedLifecycleBus()
    let trace = Trace()
    let isRunning = AsyncGate()
    let mayFinish = ThreadGate()
    let token = bus.addObserver { event in
      trace("begins \(event.sequenceNumber)")
      isRunning.open()
      mayFinish.wait()
      trace("ends \(event.sequenceNumber)")
    }
    async let first = awaitOtherThread { bus.send(.systemDidWake) }
    await isRunning.opened()
    // While another thread is inside the observer:
    let queued = bus.send(.systemWillSleep)
    let suppressed = bus.diagnostics.suppressedCounts[.duplicate, default: 0]
    trace("\(queued.line), phase \(bus.phase), \(suppressed)")
    mayFinish.open()
    #expect(await first == .delivered)
    token.cancel()
    expectNoDifference(
      trace.lines,
      ["begins 1", "queued, phase unknown, 0", "ends 1", "begins 2", "ends 2"]
    )
  }

  // MARK: A closure given to `sink` belongs to the actor in whose code it is written.

  @Test("A sink written on the main actor runs there on both buses", arguments: BusKind.allCases)
  func sentOnTheMainActor(_ kind: BusKind) {
    let bus = kind.make()
    var phases: [LifecyclePhase] = []
    var isFinished = false
    let cancellable = bus.phases.sink { _ in
      isFinished = true
    } receiveValue: { phase in
      MainActor.assertIsolated()
      phases.append(phase)
    }
    bus.send(all: .didFinishLaunching, .willTerminate)
    expectNoDifference(phases, [.unknown, .background, .terminated])
    #expect(isFinished)
    cancellable.cancel()
  }

  actor Home {
    var lines: [String] = []

    func observe(_ bus: NonisolatedLifecycleBus) -> [String] {
      let cancellable = bus.events.sink { self.lines.append($0.shortLine) }
      bus.send(.systemDidWake)
      cancellable.cancel()
      return lines
    }
  }

  @Test("A sink written in an actor runs on that actor")
  func anotherActor() async {
    let lines = await Home().observe(NonisolatedLifecycleBus(clock: ManualClock()))
    expectNoDifference(lines, ["1 systemDidWake"])
  }

  /// An actor whose closure, as it holds the actor weakly, belongs to no actor.
  actor Keeper {
    private var cancellable: AnyCancellable?
    nonisolated let calls = Trace()

    func observe(_ bus: LifecycleBus) {
      cancellable = bus.events.sink { [weak self] in self?.calls($0.shortLine) }
    }
  }

  @Test("A sink that holds its actor weakly runs on the main actor, and does not keep it")
  func weakActor() async {
    let bus = LifecycleBus(clock: ManualClock())
    var keeper: Keeper? = Keeper()
    weak let weakKeeper = keeper
    let calls = keeper!.calls
    await keeper!.observe(bus)
    bus.send(.systemDidWake)
    expectNoDifference(calls.take(), ["1 systemDidWake"])
    keeper = nil
    #expect(weakKeeper == nil)
    #expect(bus.diagnostics.liveSubscriptions.isEmpty)
  }

  @Test("A main-actor sink that a nonisolated bus calls elsewhere stops the program")
  func valueElsewhere() async {
    await #expect(processExitsWith: .failure) {
      let bus = NonisolatedLifecycleBus()
      let calls = await MainActor.run { MainActorCalls(bus) }
      await awaitOtherThread { _ = bus.send(.systemDidWake) }
      withExtendedLifetime(calls) {}
    }
  }

  // MARK: Release on the main actor

  /// Not `Sendable`, and no lock: its user relies on the main actor.
  final class Journal {
    var entries: [Int] = []
  }

  final class Captured {
    private let journal: Journal

    init(_ journal: Journal) {
      self.journal = journal
    }

    deinit {
      MainActor.preconditionIsolated()
      journal.entries.append(-1)
    }
  }

  @Test("A captured value is released on the main actor when a scope ends elsewhere")
  func capturedValue() async {
    let journal = Journal()
    let bus = LifecycleBus()
    for round in 0..<50 {
      let scope = LifecycleScope()
      bus.onReturn(in: scope, capturing: { Captured(journal) }) { _, _ in }
      bus.send(.didBecomeActive)
      bus.send(.didEnterBackground)
      let end = Task.detached { scope.end() }
      for _ in 0..<100 { journal.entries.append(round) }
      await end.value
    }
    await mainQueueToDrain()
    expectNoDifference(journal.entries.filter { $0 == -1 }.count, 50)
    expectNoDifference(journal.entries.count, 50 * 101)
  }
}

/// Counts on the main actor.
@MainActor
private final class MainActorCalls {
  private var count = 0
  private var cancellable: AnyCancellable?

  init(_ bus: NonisolatedLifecycleBus) {
    cancellable = bus.events.sink { _ in self.count += 1 }
  }
}
