import CustomDump
import IssueReporting
import LifecycleCombine
import LifecycleCore
import LifecycleSupport
import LifecycleTesting
import TestSupport
import Testing

/// Many threads at once. Afterwards nothing is lost, no order is broken, and nothing is left over.
///
/// The thread sanitizer runs these, too.
@Suite("Threads: a bus")
struct ThreadTests {
  private static let rounds = 200
  private static let threads = 4

  /// The objects of a test that are alive.
  private let census = Counter()

  private func newborn() -> Canary {
    census.add()
    return Canary { [census] in census.subtract() }
  }

  @Test("Threads that use all of a bus at once lose no event and leave nothing behind")
  func everythingAtOnce() async {
    var bus: NonisolatedLifecycleBus! = NonisolatedLifecycleBus(clock: ManualClock())
    weak let core = bus.core
    let closure = Trace()
    let slow = AskingSubscriber()
    let running = Counter()
    var witness: LifecycleCancellable? = bus.addObserver {
      if running.add() != 1 { closure("a second delivery at once") }
      closure("\($0.sequenceNumber) \($0.metadata["from"] ?? "")")
      running.subtract()
    }
    bus.events.subscribe(slow)
    await awaitOtherThreads(Self.threads) { [bus = bus!] thread in
      let scopes = (0..<4).map { LifecycleScope("\(thread) \($0)") }
      for round in 0..<Self.rounds {
        let scope = scopes[round % 4]
        observe(bus, in: scope, round)
        bus.send(.systemDidWake, metadata: ["from": "\(thread) \(round)"])
        slow.request(round % 3 + 1)
        if round % 4 == 1 { PhaseOracle.transitions.dropLast().forEach { bus.send($0) } }
        _ = (bus.phase, bus.diagnostics.liveSubscriptions.count)
        if round % 16 == 15 { scope.end() }
        // What is added to an ended scope is cancelled and reported; here on purpose.
      }
      scopes.forEach { $0.end() }
    }
    // One order, without a gap.
    let lines = closure.lines.map { $0.split(separator: " ") }
    expectNoDifference(lines.map { Int($0[0]) }, (1...max(lines.count, 1)).map(Optional.some))
    // Each thread's inputs, all of them, in the order in which it sent them.
    for thread in 0..<Self.threads {
      expectNoDifference(
        lines.filter { $0.count == 3 && $0[1] == "\(thread)" }.map { Int($0[2]) },
        (0..<Self.rounds).map(Optional.some)
      )
    }
    // The slow subscriber gets the same, once it asks.
    slow.request(.max / 2)
    expectNoDifference(slow.numbers.values, Array(1...lines.count))
    // All that came and went is gone.
    expectNoDifference(bus.diagnostics.liveSubscriptions.count, 2)
    expectNoDifference(census.count, 0)
    expectNoDifference(witness?.isCancelled, false)
    witness = nil
    bus = nil
    expectNoDifference(slow.completions.count, 1)
    slow.release()
    #expect(core == nil)
  }

  /// Adds an observer of some form, and cancels it at once or leaves it to its scope.
  private func observe(_ bus: NonisolatedLifecycleBus, in scope: LifecycleScope, _ round: Int) {
    let canary = newborn()
    withIssueReporters([]) {
      switch round % 6 {
      case 0: bus.addObserver(in: scope, id: round % 2, catchUp: .path) { _ in canary.sing() }
      case 1: bus.addObserver { _ in canary.sing() }.cancel()
      case 2: bus.events.sink { _ in canary.sing() }.store(in: scope)
      case 3: bus.phases.first().sink { _ in canary.sing() }.store(in: scope)
      case 4: bus.onReturn(in: scope, capturing: { canary }) { _, _ in }
      default: bus.suppressedInputs.sink { _ in canary.sing() }.cancel()
      }
    }
  }

  /// A subscriber that any thread may make ask.
  private final class AskingSubscriber: Subscriber, Sendable {
    typealias Input = LifecycleEvent
    typealias Failure = Never

    /// `@unchecked Sendable`: the subscriptions of a bus are.
    private struct Box: @unchecked Sendable { var subscription: any Subscription }

    private let subscription = Locked<Box?>(nil)
    let numbers = Collector<Int>()
    let completions = Counter()

    func receive(subscription: any Subscription) {
      let box = Box(subscription: subscription)
      self.subscription.withLock { $0 = box }
    }

    func receive(_ input: LifecycleEvent) -> Subscribers.Demand {
      numbers(input.sequenceNumber)
      return .none
    }

    func receive(completion: Subscribers.Completion<Never>) { completions.add() }

    func request(_ count: Int) {
      subscription.withLock { $0 }?.subscription.request(.max(count))
    }

    func cancel() { subscription.withLock { $0 }?.subscription.cancel() }
    func release() { _ = subscription.withLock { $0.take() } }
  }

  @Test("Subscribers cancelled while a main-actor bus ends are released")
  func cancellingAtTheEnd() async {
    for _ in 0..<Self.rounds / 2 {
      let bus = LifecycleBus(clock: ManualClock())
      let subscribers = (0..<4).map { _ in AskingSubscriber() }
      for subscriber in subscribers { bus.events.subscribe(subscriber) }
      let tokens = (0..<4).map { _ in observer(of: bus) }
      bus.send(.didBecomeActive)
      await awaitOtherThreads(Self.threads) { thread in
        switch thread {
        case 0: bus.send(.willTerminate)
        case 1: subscribers.forEach { $0.cancel() }
        case 2: subscribers.forEach { $0.request(1) }
        default: tokens.forEach { $0.cancel() }
        }
      }
      await mainQueueToDrain()
      #expect(bus.diagnostics.liveSubscriptions.isEmpty)
      expectNoDifference(census.count, 0)
      for subscriber in subscribers {
        let numbers = subscriber.numbers.values
        expectNoDifference(numbers, Array([1, 2, 3, 4, 5, 6].prefix(numbers.count)))
        subscriber.release()
      }
    }
  }

  private func observer(of bus: LifecycleBus) -> LifecycleCancellable {
    let canary = newborn()
    return bus.addObserver { _ in canary.sing() }
  }

  @Test("A scope that threads fill while one ends it holds nothing afterwards")
  func fillingAnEndingScope() async {
    let bus = NonisolatedLifecycleBus(clock: ManualClock())
    for _ in 0..<Self.rounds / 4 {
      let scope = LifecycleScope()
      await awaitOtherThreads(Self.threads) { thread in
        guard thread > 0 else { return scope.end() }
        for round in 0..<6 { observe(bus, in: scope, round) }
      }
      #expect(scope.isEnded)
    }
    #expect(bus.diagnostics.liveSubscriptions.isEmpty)
    expectNoDifference(census.count, 0)
  }

  @Test("Inputs that many threads send with a completion are all delivered and completed")
  func completions() async throws {
    let bus = NonisolatedLifecycleBus(clock: ManualClock())
    let source = TestSource()
    let connection = try bus.connect(source)
    let calls = Counter()
    let token = bus.addObserver { _ in calls.add() }
    await awaitOtherThreads(Self.threads) { _ in
      for _ in 0..<Self.rounds / 4 { _ = source.feed.sendAndBlock(.systemDidWake) }
    }
    expectNoDifference(calls.count, Self.rounds)
    token.cancel()
    connection.cancel()
  }

  @Test("A bus that several threads use finishes its streams once, when the last releases it")
  func releasedByTheLastThread() async {
    for _ in 0..<Self.rounds / 4 {
      let subscriber = AskingSubscriber()
      await sendAndDrop(NonisolatedLifecycleBus(clock: ManualClock()), subscriber)
      subscriber.request(100)
      expectNoDifference(subscriber.numbers.values, Array(1...Self.threads))
      expectNoDifference(subscriber.completions.count, 1)
      subscriber.release()
    }
  }

  private func sendAndDrop(
    _ bus: consuming NonisolatedLifecycleBus,
    _ subscriber: AskingSubscriber
  ) async {
    bus.events.subscribe(subscriber)
    let box = Locked<NonisolatedLifecycleBus?>(bus)
    await awaitOtherThreads(Self.threads) { _ in
      let bus = box.withLock { $0 }
      bus?.send(.systemDidWake)
    }
  }

  @Test("The running observer that another thread reads is one that was registered")
  func runningObserver() async {
    let bus = NonisolatedLifecycleBus(clock: ManualClock())
    let isOver = Counter()
    let questions = Counter()
    let named = Locked<Set<UInt>>([])
    await awaitOtherThreads(2) { thread in
      guard thread == 0 else {
        while isOver.count == 0 {
          if let line = bus.core.runningObserver?.line { named.withLock { _ = $0.insert(line) } }
          questions.add()
        }
        return
      }
      // The limit only keeps a test that must fail from running for ever.
      let limit = ContinuousClock.now + .seconds(600)
      while questions.count < 20_000 || named.withLock(\.isEmpty), ContinuousClock.now < limit {
        // One leaves in its first event, one by its token, one after its catch-up.
        let scope = LifecycleScope()
        bus.addObserver(in: scope, line: 1) { _ in scope.end() }
        let token = bus.addObserver(line: 2) { _ in }
        bus.send(.systemDidWake)
        token.cancel()
        bus.addObserver(catchUp: .path, line: 3) { _ in }.cancel()
        bus.send(.didFinishLaunching)
      }
      isOver.add()
    }
    // Whoever was named had been registered, and nobody is named for ever.
    expectNoDifference(named.withLock { $0.subtracting([1, 2, 3]) }, [])
    #expect(named.withLock { !$0.isEmpty })
    expectNoDifference(bus.core.runningObserver, nil)
    #expect(bus.diagnostics.liveSubscriptions.isEmpty)
  }
}
