import CustomDump
import LifecycleCombine
import LifecycleCore
import LifecycleSupport
import LifecycleTesting
import TestSupport
import Testing

/// Several threads send values, while one moves the bus and one cancels.
@Suite("Operators on threads")
struct OperatorThreadTests {
  private static let senders = 3
  private static let values = 300
  private static let rounds = 60

  private let bus = NonisolatedLifecycleBus(clock: ManualClock())
  private let trace = Trace()
  private let upstream: ProbePublisher
  private let downstream: ProbeSubscriber

  init() {
    upstream = ProbePublisher(trace)
    downstream = ProbeSubscriber(trace)
  }

  /// Sends values from several threads at once, `thread * 1000 + number`, while others work.
  private func race(
    send: @escaping @Sendable (Int) -> Void,
    against work: @Sendable () -> Void...
  ) async {
    await awaitOtherThreads(Self.senders + work.count) { thread in
      guard thread < Self.senders else { return work[thread - Self.senders]() }
      for number in 0..<Self.values { send((thread + 1) * 1000 + number) }
    }
  }

  @Sendable private func move() {
    for _ in 0..<Self.rounds { bus.send(all: .didBecomeActive, .willResignActive) }
  }

  /// Each sender's values, in the order in which they arrived.
  private var arrived: [[Int]] {
    let numbers = trace.lines.compactMap(Int.init)
    return (1...Self.senders).map { thread in numbers.filter { $0 / 1000 == thread } }
  }

  private func expectOneCallAtATime() {
    expectNoDifference(trace.lines.filter { $0.contains("inside of") }, [])
  }

  @Test("A gate that keeps everything loses no value of three threads, and keeps their order")
  func gateLosesNothing() async {
    let buffering = LifecycleGateBuffering.all(limit: .max, whenFull: .dropNewest)
    upstream.gate(.atLeast(.active), of: bus, buffering: buffering).subscribe(downstream)
    await race(send: { [upstream] in upstream.send($0) }, against: move)
    bus.send(.didBecomeActive)
    expectOneCallAtATime()
    expectNoDifference(
      arrived,
      (1...Self.senders).map { thread in (0..<Self.values).map { thread * 1000 + $0 } }
    )
    downstream.cancel()
  }

  /// What happens to a gate, in one order for all threads.
  private struct GateLog {
    var isClosed = true
    var closings = 0
    /// The number of calls that began after the gate had been notified, by closing.
    var late: [Int: Int] = [:]
  }

  @Test("No value passes a gate after its turn of the event that closes it")
  func gateIsTight() async {
    let log = Locked(GateLog())
    // Is notified of the way up before the gate, and of the way down after it.
    let witness = bus.addObserver { event in
      log.withLock { log in
        log.isClosed = event.phase < .active
        if event.kind == .willResignActive { log.closings += 1 }
      }
    }
    downstream.onValue = { [bus] _ in
      // The gate may pass what the phase allows before the witness is notified of the way up.
      let isOpen = bus.phase == .active
      log.withLock { log in
        if log.isClosed, !isOpen { log.late[log.closings, default: 0] += 1 }
      }
      return .none
    }
    upstream.gate(.atLeast(.active), of: bus, buffering: .latest).subscribe(downstream)
    await race(send: { [upstream] in upstream.send($0) }, against: move)
    // The call that was under way is all that can come after it.
    #expect(log.withLock { $0.late.values.allSatisfy { $0 <= 1 } })
    expectNoDifference(log.withLock { $0.closings }, Self.rounds)
    expectOneCallAtATime()
    for numbers in arrived { expectNoDifference(numbers, numbers.sorted()) }
    downstream.cancel()
    witness.cancel()
  }

  @Test("whilePhase has one upstream subscription at most")
  func oneSubscription() async {
    upstream.hook { [trace, upstream] hooks in
      hooks.subscribe = { [unowned upstream] _ in
        if upstream.liveCount > 1 { trace("two at once") }
      }
    }
    upstream.whilePhase(.atLeast(.active), of: bus).subscribe(downstream)
    let send: @Sendable (Int) -> Void = { [upstream] number in
      if upstream.count > 0 { upstream.send(number) }
    }
    await race(send: send, against: move, move)
    #expect(upstream.count >= Self.rounds)
    #expect(!trace.lines.contains("two at once"))
    expectOneCallAtATime()
    for numbers in arrived { expectNoDifference(numbers, numbers.sorted()) }
    bus.send(.didEnterBackground)
    expectNoDifference(upstream.liveCount, 0)
    downstream.cancel()
  }

  @Test("An operator cancelled while threads send is silent", arguments: BusOperator.allCases)
  func cancelledUnderLoad(_ form: BusOperator) async {
    let alive = Counter()
    let late = Counter()
    let isCancelled = Atomic(false)
    let half = ThreadGate()
    downstream.onValue = { number in
      if isCancelled.load(ordering: .acquiring) { late.add() }
      return .none
    }
    form(upstream, bus).subscribe(downstream)
    let cancel: @Sendable () -> Void = { [downstream] in
      half.wait()
      downstream.cancel()
      isCancelled.store(true, ordering: .releasing)
    }
    await race(
      send: { [upstream] number in
        alive.add()
        upstream[upstream.count].send(ProbeValue(number, Canary { alive.subtract() }))
        if number == 1000 + Self.values / 2 { half.open() }
      },
      against: move,
      cancel,
      cancel
    )
    expectNoDifference(upstream.liveCount, 0)
    #expect(late.count <= 1)
    expectOneCallAtATime()
    let cancellations = trace.lines.filter { $0.hasPrefix("cancel") }
    expectNoDifference(cancellations, (0..<upstream.count).map { "cancel \($0 + 1)" })
    #expect(bus.diagnostics.liveSubscriptions.isEmpty)
    expectNoDifference(alive.count, 0)
  }
}
