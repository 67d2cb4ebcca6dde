import CustomDump
import LifecycleCombine
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import Synchronization
import TestSupport
import Testing

/// Several threads send values, while one moves the bus and one cancels.
@Suite("Operators on threads")
struct OperatorThreadTests {
  private static let senders = 3
  private static let values = 300
  private static let rounds = 60

  /// Sends values from several threads at once, `thread * 1000 + number`, while another one works.
  private func race(
    send: @escaping @Sendable (Int) -> Void,
    against work: @Sendable () -> Void...
  ) async {
    await awaitOtherThreads(Self.senders + work.count) { thread in
      guard thread < Self.senders else { return work[thread - Self.senders]() }
      for number in 0..<Self.values { send((thread + 1) * 1000 + number) }
    }
    await mainQueueToDrain()
  }

  private func move(_ bus: any LifecycleBusProtocol) {
    for _ in 0..<Self.rounds { bus.send(all: .didBecomeActive, .willResignActive) }
  }

  /// Each sender's values, in the order in which they arrived.
  private func arrived(_ trace: Trace) -> [[Int]] {
    let numbers = trace.lines.compactMap(Int.init)
    return (1...Self.senders).map { thread in numbers.filter { $0 / 1000 == thread } }
  }

  private func expectOneCallAtATime(_ trace: Trace) {
    expectNoDifference(trace.lines.filter { $0.contains("inside of") }, [])
  }

  @Test("A gate that holds everything loses nothing, and keeps order", arguments: BusKind.allCases)
  func gateLosesNothing(_ kind: BusKind) async {
    let bus = kind.make()
    let trace = Trace()
    let upstream = ProbePublisher(trace)
    let downstream = ProbeSubscriber(trace)
    upstream.gate(
      .atLeast(.active),
      of: bus,
      buffering: .all(limit: .max, whenFull: .dropNewest)
    ).subscribe(downstream)
    await race(send: { upstream.send($0) }, against: { [self] in move(bus) })
    bus.send(.didBecomeActive)
    await mainQueueToDrain()
    expectOneCallAtATime(trace)
    expectNoDifference(
      arrived(trace),
      (1...Self.senders).map { thread in (0..<Self.values).map { thread * 1000 + $0 } }
    )
    downstream.cancel()
  }

  /// What happens to a gate, in one order for all threads.
  private struct GateLog {
    var isClosed = true
    var closings = 0
    /// How many calls began since the gate was told that it is closed, by closing.
    var late: [Int: Int] = [:]
  }

  @Test("A value cannot pass a gate that was told that it is closed", arguments: BusKind.allCases)
  func gateIsTight(_ kind: BusKind) async {
    let bus = kind.make()
    let trace = Trace()
    let upstream = ProbePublisher(trace)
    let downstream = ProbeSubscriber(trace)
    let log = Locked(GateLog())
    // Hears of the way up before the gate, and of the way down after it.
    let witness = bus.addObserver { event in
      log.withLock { log in
        log.isClosed = event.phase < .active
        if event.kind == .willResignActive { log.closings += 1 }
      }
    }
    downstream.onValue = { _ in
      // The gate may pass what the phase allows before the witness has heard of the way up.
      let isOpen = bus.phase == .active
      log.withLock { log in
        if log.isClosed, !isOpen { log.late[log.closings, default: 0] += 1 }
      }
      return .none
    }
    upstream.gate(.atLeast(.active), of: bus, buffering: .latest).subscribe(downstream)
    await race(send: { upstream.send($0) }, against: { [self] in move(bus) })
    // The call that was under way is all that can come after it.
    #expect(log.withLock { $0.late.values.allSatisfy { $0 <= 1 } })
    expectNoDifference(log.withLock { $0.closings }, Self.rounds)
    expectOneCallAtATime(trace)
    for numbers in arrived(trace) { expectNoDifference(numbers, numbers.sorted()) }
    downstream.cancel()
    witness.cancel()
  }

  /// The operators that are cancelled under load.
  enum Form: CaseIterable {
    case gate, whilePhase, prefix

    func subscribe(
      _ downstream: ProbeSubscriber,
      to upstream: ProbePublisher,
      on bus: some LifecycleBusProtocol
    ) {
      switch self {
      case .gate:
        upstream.gate(
          .atLeast(.active),
          of: bus,
          buffering: .all(limit: 20, whenFull: .dropOldest)
        ).subscribe(downstream)
      case .whilePhase:
        upstream.whilePhase(.atLeast(.active), of: bus).subscribe(downstream)
      case .prefix:
        upstream.prefix(until: .systemWillSleep, of: bus).subscribe(downstream)
      }
    }
  }

  @Test("Cancelled under load, by two threads", arguments: BusKind.allCases, Form.allCases)
  func cancelledUnderLoad(_ kind: BusKind, _ form: Form) async {
    let bus = kind.make()
    let trace = Trace()
    let upstream = ProbePublisher(trace)
    let downstream = ProbeSubscriber(trace)
    let alive = Atomic(0)
    let late = Atomic(0)
    let isCancelled = Atomic(false)
    let half = ThreadGate()
    downstream.onValue = { number in
      if isCancelled.load(ordering: .acquiring) { late.add(1, ordering: .relaxed) }
      if number % 1000 == Self.values / 2 { half.open() }
      return .none
    }
    form.subscribe(downstream, to: upstream, on: bus)
    let body: @Sendable () -> Void = {
      downstream.cancel()
      isCancelled.store(true, ordering: .releasing)
    }
    await race(
      send: { number in
        alive.add(1, ordering: .relaxed)
        let value = ProbeValue(number, Canary { alive.subtract(1, ordering: .relaxed) })
        if upstream.count > 0 { upstream[upstream.count].send(value) }
        if number == 1000 + Self.values / 2 { half.open() }
      },
      against: { [self] in move(bus) },
      {
        half.wait()
        body()
      },
      {
        half.wait()
        body()
      }
    )
    expectNoDifference(upstream.liveCount, 0)
    #expect(late.load(ordering: .relaxed) <= 1)
    expectOneCallAtATime(trace)
    let cancellations = trace.lines.filter { $0.hasPrefix("cancel") }
    expectNoDifference(cancellations, (0..<upstream.count).map { "cancel \($0 + 1)" })
    #expect(bus.liveSubscriptions.isEmpty)
    expectNoDifference(alive.load(ordering: .sequentiallyConsistent), 0)
    downstream.onValue = { _ in .none }
  }

  @Test("There is one upstream subscription at most", arguments: BusKind.allCases)
  func oneSubscription(_ kind: BusKind) async {
    let bus = kind.make()
    let trace = Trace()
    let upstream = ProbePublisher(trace)
    upstream.hook { hooks in
      hooks.subscribe = { [unowned upstream] _ in
        if upstream.liveCount > 1 { trace("two at once") }
      }
    }
    let downstream = ProbeSubscriber(trace)
    upstream.whilePhase(.atLeast(.active), of: bus).subscribe(downstream)
    await race(
      send: { number in if upstream.count > 0 { upstream.send(number) } },
      against: { [self] in move(bus) },
      { [self] in move(bus) }
    )
    #expect(upstream.count >= Self.rounds)
    #expect(!trace.lines.contains("two at once"))
    expectOneCallAtATime(trace)
    for numbers in arrived(trace) { expectNoDifference(numbers, numbers.sorted()) }
    bus.send(.didEnterBackground)
    await mainQueueToDrain()
    expectNoDifference(upstream.liveCount, 0)
    downstream.cancel()
  }

  @Test("An event ends a prefix once, after everything else", arguments: BusKind.allCases)
  func prefixEnds(_ kind: BusKind) async {
    let bus = kind.make()
    let trace = Trace()
    let upstream = ProbePublisher(trace)
    let downstream = ProbeSubscriber(trace)
    let half = ThreadGate()
    upstream.prefix(until: .systemWillSleep, of: bus).subscribe(downstream)
    await race(
      send: { number in
        upstream.send(number)
        if number == 1000 + Self.values / 2 { half.open() }
      },
      against: {
        half.wait()
        bus.send(.systemWillSleep)
        bus.send(.willTerminate)
      }
    )
    expectOneCallAtATime(trace)
    let lines = trace.lines.filter { !$0.hasPrefix("cancel") }
    expectNoDifference(lines.last, "finished")
    expectNoDifference(lines.count { $0 == "finished" }, 1)
    // Each sender's values up to some point, and none after it.
    for (thread, numbers) in zip(1..., arrived(trace)) {
      expectNoDifference(numbers, numbers.indices.map { thread * 1000 + $0 })
    }
    #expect(arrived(trace)[0].count > Self.values / 2)
  }
}
