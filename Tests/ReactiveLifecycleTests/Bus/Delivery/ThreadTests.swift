import CustomDump
import Foundation
import IssueReporting
import LifecycleCombine
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import Synchronization
import TestSupport
import Testing

/// Many threads at once. Afterwards nothing is lost, no order is broken, and nothing is left over.
///
/// The thread sanitizer runs these, too: see `.ci/sanitize`.
@Suite("Threads")
struct ThreadTests {
  private static let rounds = 200
  private static let threads = 4

  /// Counts the objects of a test that are alive.
  final class Census: Sendable {
    let alive = Atomic(0)

    func newborn() -> Canary {
      alive.add(1, ordering: .relaxed)
      return Canary { self.alive.subtract(1, ordering: .relaxed) }
    }
  }

  /// Waits until the bus has delivered what it has accepted.
  private func settle(_ kind: BusKind) async {
    if kind == .mainActor { await mainQueueToDrain() }
  }

  @Test(
    "Sending, observing, cancelling, ending, subscribing, requesting",
    arguments: BusKind.allCases
  )
  func everythingAtOnce(_ kind: BusKind) async {
    var bus: (any LifecycleBusProtocol)! = kind.make()
    weak let core = bus.core
    let census = Census()
    let closure = Trace()
    let slow = AskingSubscriber()
    var witness: LifecycleSubscription? = bus.addObserver {
      closure("\($0.sequenceNumber) \($0.metadata["from"] ?? "")")
    }
    bus.events.subscribe(slow)
    await awaitOtherThreads(Self.threads) { [bus = bus!] thread in
      let scopes = (0..<4).map { LifecycleScope("\(thread) \($0)") }
      for round in 0..<Self.rounds {
        let scope = scopes[round % 4]
        observe(bus, in: scope, census, round)
        bus.send(.systemDidWake, metadata: ["from": "\(thread) \(round)"])
        slow.request(round % 3 + 1)
        if round % 4 == 1 { PhaseOracle.transitions.dropLast().forEach { bus.send($0) } }
        _ = (bus.phase, bus.suppressedCount(.duplicate), bus.liveSubscriptions.count)
        if round % 16 == 15 { scope.end() }
        // What is added to an ended scope is cancelled and reported; here on purpose.
      }
      scopes.forEach { $0.end() }
    }
    await settle(kind)

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
    await settle(kind)
    expectNoDifference(slow.numbers.withLock { $0 }, Array(1...lines.count))
    // All that came and went is gone.
    expectNoDifference(bus.liveSubscriptions.count, 2)
    expectNoDifference(census.alive.load(ordering: .sequentiallyConsistent), 0)
    expectNoDifference(witness?.isActive, true)
    witness = nil
    bus = nil
    await settle(kind)
    expectNoDifference(slow.completions.withLock { $0 }, 1)
    slow.subscription.withLock { $0 = nil }
    #expect(core == nil)
  }

  /// Adds an observer of some form, and cancels it at once or leaves it to its scope.
  private func observe(
    _ bus: any LifecycleBusProtocol,
    in scope: LifecycleScope,
    _ census: Census,
    _ round: Int
  ) {
    let canary = census.newborn()
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
  final class AskingSubscriber: Subscriber, @unchecked Sendable {
    typealias Input = LifecycleEvent
    typealias Failure = Never

    /// `@unchecked Sendable`: the subscriptions of a bus are.
    struct Box: @unchecked Sendable { var subscription: any Subscription }

    let subscription = Locked<Box?>(nil)
    let numbers = Locked<[Int]>([])
    let completions = Locked(0)

    func receive(subscription: any Subscription) {
      let box = Box(subscription: subscription)
      self.subscription.withLock { $0 = box }
    }

    func receive(_ input: LifecycleEvent) -> Subscribers.Demand {
      numbers.withLock { $0.append(input.sequenceNumber) }
      return .none
    }

    func receive(completion: Subscribers.Completion<Never>) {
      completions.withLock { $0 += 1 }
    }

    func request(_ count: Int) {
      subscription.withLock { $0 }?.subscription.request(.max(count))
    }

    func cancel() { subscription.withLock { $0 }?.subscription.cancel() }
  }

  @Test(
    "Cancelling while the streams end, and while values are asked for",
    arguments: BusKind.allCases
  )
  func cancellingAtTheEnd(_ kind: BusKind) async {
    for _ in 0..<Self.rounds / 2 {
      let bus = kind.make()
      let census = Census()
      let subscribers = (0..<4).map { _ in AskingSubscriber() }
      for subscriber in subscribers { bus.events.subscribe(subscriber) }
      let tokens = observers(bus, census)
      bus.send(.didBecomeActive)
      await awaitOtherThreads(Self.threads) { thread in
        switch thread {
        case 0: bus.send(.willTerminate)
        case 1: subscribers.forEach { $0.cancel() }
        case 2: subscribers.forEach { $0.request(1) }
        default: tokens.forEach { $0.cancel() }
        }
      }
      await settle(kind)
      #expect(bus.liveSubscriptions.isEmpty)
      expectNoDifference(census.alive.load(ordering: .sequentiallyConsistent), 0)
      for subscriber in subscribers {
        let numbers = subscriber.numbers.withLock { $0 }
        expectNoDifference(numbers, Array([1, 2, 3, 4, 5, 6].prefix(numbers.count)))
        subscriber.subscription.withLock { $0 = nil }
      }
    }
  }

  private func observers(_ bus: any LifecycleBusProtocol, _ census: Census)
    -> [LifecycleSubscription]
  {
    (0..<4).map { _ in
      let canary = census.newborn()
      return bus.addObserver { _ in canary.sing() }
    }
  }

  @Test(
    "A scope that many threads fill and one ends holds nothing afterwards",
    arguments: BusKind.allCases
  )
  func fillingAnEndingScope(_ kind: BusKind) async {
    let bus = kind.make()
    let census = Census()
    for _ in 0..<Self.rounds / 4 {
      let scope = LifecycleScope()
      await awaitOtherThreads(Self.threads) { thread in
        if thread == 0 {
          scope.end()
        } else {
          for round in 0..<6 { observe(bus, in: scope, census, round) }
        }
      }
      #expect(scope.isEnded)
    }
    await settle(kind)
    #expect(bus.liveSubscriptions.isEmpty)
    expectNoDifference(census.alive.load(ordering: .sequentiallyConsistent), 0)
  }

  @Test("A nonisolated bus never delivers twice at once")
  func neverTwiceAtOnce() async {
    let bus = NonisolatedLifecycleBus()
    let inside = Atomic(0)
    let calls = Locked(0)
    let overlaps = Locked(0)
    let tokens = (0..<3).map { _ in
      bus.addObserver { _ in
        if inside.add(1, ordering: .sequentiallyConsistent).oldValue != 0 {
          overlaps.withLock { $0 += 1 }
        }
        calls.withLock { $0 += 1 }
        inside.subtract(1, ordering: .sequentiallyConsistent)
      }
    }
    await awaitOtherThreads(Self.threads) { _ in
      for _ in 0..<Self.rounds { bus.send(.systemDidWake) }
    }
    expectNoDifference(overlaps.withLock { $0 }, 0)
    expectNoDifference(calls.withLock { $0 }, 3 * Self.rounds * Self.threads)
    for token in tokens { token.cancel() }
  }

  @Test("Deliveries with a deadline from many threads all finish", arguments: BusKind.allCases)
  func deliveriesWithDeadlines(_ kind: BusKind) async throws {
    let bus = kind.make()
    let source = TestSource()
    let connection = try bus.connect(source)
    let calls = Locked(0)
    let token = bus.addObserver { _ in calls.withLock { $0 += 1 } }
    let failures = Trace()
    await awaitOtherThreads(Self.threads) { _ in
      for _ in 0..<Self.rounds / 4 {
        let outcome = source.input.sendAndWait(.systemDidWake, until: .now + .seconds(600))
        if outcome != .finished { failures("\(outcome)") }
      }
    }
    expectNoDifference(failures.lines, [])
    expectNoDifference(calls.withLock { $0 }, Self.rounds)
    token.cancel()
    connection.cancel()
  }

  @Test(
    "Released by whichever thread is last, a bus finishes its streams once",
    arguments: BusKind.allCases
  )
  func releasedByTheLastThread(_ kind: BusKind) async {
    for _ in 0..<Self.rounds / 4 {
      let subscriber = AskingSubscriber()
      await sendAndDrop(kind.make(), subscriber)
      await settle(kind)
      subscriber.request(100)
      await settle(kind)
      let numbers = subscriber.numbers.withLock { $0 }
      expectNoDifference(numbers, Array(1...Self.threads))
      expectNoDifference(subscriber.completions.withLock { $0 }, 1)
      subscriber.subscription.withLock { $0 = nil }
    }
  }

  private func sendAndDrop(
    _ bus: consuming any LifecycleBusProtocol,
    _ subscriber: AskingSubscriber
  ) async {
    bus.events.subscribe(subscriber)
    let box = Locked<(any LifecycleBusProtocol)?>(bus)
    await awaitOtherThreads(Self.threads) { thread in
      let bus = box.withLock { $0 }
      bus?.send(.systemDidWake)
    }
  }
}
