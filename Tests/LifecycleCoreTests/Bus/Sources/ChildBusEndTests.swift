import CustomDump
import LifecycleCombine
import LifecycleCore
import LifecycleSupport
import LifecycleTesting
import TestSupport
import Testing

/// Which bus outlives which.
@MainActor
@Suite("Buses as sources: end")
struct ChildBusEndTests {
  nonisolated static let roles: [LifecycleRole] = [
    .ceiling, .participant(.application), .participant("window"),
  ]

  private let clock = ManualClock()
  private let trace = Trace()

  private func makeBus() -> LifecycleBus { LifecycleBus(clock: clock) }

  private func traceEvents(of bus: LifecycleBus) -> AnyCancellable {
    bus.events.sink { [trace] _ in
      trace("finished")
    } receiveValue: { [trace] in
      trace($0.line)
    }
  }

  // MARK: Of the parent

  @Test("A child terminates with its parent, and receives the event")
  func parentTerminated() throws {
    let parent = makeBus()
    parent.send(.didBecomeActive)
    let child = LifecycleBus(parent: parent)
    child.send(.didBecomeActive)
    let service = makeBus()
    let connection = try service.connect(.bus(parent))
    let sink = traceEvents(of: child)
    parent.send(.willTerminate)
    expectNoDifference(service.phase, .terminated)
    expectNoDifference(child.send(.didBecomeActive), .suppressed(.terminated))
    expectNoDifference(
      trace.take(),
      [
        "4 willResignActive active→inactive source(bus)",
        "5 didEnterBackground inactive→background source(bus)",
        "6 willTerminate background→terminated source(bus)",
        "finished",
      ]
    )
    // Under a parent that has ended, a child ends at once.
    let late = LifecycleBus(parent: parent)
    expectNoDifference(late.phase, .terminated)
    let lateSink = traceEvents(of: late)
    expectNoDifference(trace.lines, ["finished"])
    connection.cancel()
    withExtendedLifetime((sink, lateSink)) {}
  }

  @Test("A parent is not kept alive, and its release ends its child without an event")
  func parentReleased() throws {
    var parent: LifecycleBus? = makeBus()
    weak let weakParent = parent
    let child = LifecycleBus(parent: parent!)
    let grandchild = LifecycleBus(parent: child)
    let other = makeBus()
    let connection = try other.connect(.bus(parent!), as: .participant("parent"))
    parent?.send(.didBecomeActive)
    child.send(.didBecomeActive)
    let lock = TestSource("lock")
    let ceiling = try child.connect(lock, as: .ceiling)
    lock.feed.send(.didFinishLaunching)
    let sinks = [child, grandchild].map { traceEvents(of: $0) }
    parent = nil
    #expect(weakParent == nil)
    expectNoDifference(child.send(.didEnterBackground), .suppressed(.terminated))
    expectNoDifference(grandchild.send(.didBecomeActive), .suppressed(.terminated))
    expectNoDifference(trace.lines, ["finished", "finished"])
    // What a source withdraws now changes nothing.
    ceiling.cancel()
    expectNoDifference(child.phase, .background)
    connection.cancel()
    withExtendedLifetime(sinks) {}
  }

  // MARK: Of the bus that is fed

  @Test("A released child leaves nothing on its parent")
  func childReleased() {
    let parent = makeBus()
    parent.send(.didBecomeActive)
    var child: LifecycleBus? = LifecycleBus(parent: parent)
    weak let bus = child
    weak let core = child?.core
    let sink = UncheckedBox(traceEvents(of: child!))
    expectNoDifference(parent.diagnostics.liveSubscriptions.count, 1)
    child = nil
    #expect(parent.diagnostics.liveSubscriptions.isEmpty)
    parent.send(.willResignActive)
    expectNoDifference(trace.lines, ["finished"])
    sink.value = nil
    #expect(bus == nil)
    #expect(core == nil)
  }

  @Test("A child released during a delivery does not receive that event")
  func childReleasedInDelivery() {
    let parent = makeBus()
    var child: LifecycleBus?
    let token = parent.addObserver { [trace] event in
      trace("parent \(event.kind)")
      child = nil
    }
    child = LifecycleBus(parent: parent)
    weak let core = child?.core
    var sink: AnyCancellable? = child.map { traceEvents(of: $0) }
    parent.send(all: .systemDidWake, .systemWillSleep)
    expectNoDifference(
      trace.lines,
      ["parent systemDidWake", "finished", "parent systemWillSleep"]
    )
    expectNoDifference(parent.diagnostics.liveSubscriptions.count, 1)
    _ = sink.take()
    #expect(core == nil)
    token.cancel()
  }

  @Test(
    "A bus that has ended leaves the bus that feeds it, and may feed that bus instead",
    arguments: roles
  )
  func endedBusLeavesTheBusesThatFeedIt(_ role: LifecycleRole) throws {
    let parent = makeBus()
    let child = makeBus()
    let connection = try child.connect(.bus(parent), as: role)
    parent.send(.didBecomeActive)
    expectNoDifference(parent.diagnostics.liveSubscriptions.count, 1)
    child.send(.willTerminate)
    #expect(parent.diagnostics.liveSubscriptions.isEmpty)
    parent.send(all: .systemDidWake, .didEnterBackground)
    expectNoDifference(child.diagnostics.suppressedCounts[.terminated, default: 0], 0)
    let back = try parent.connect(.bus(child), as: .participant("child"))
    expectNoDifference(parent.phase, .background)
    // The first connection's end takes no other's place in the graph.
    connection.cancel()
    #expect(throws: LifecycleBusCycleError.self) { try child.connect(.bus(parent)) }
    back.cancel()
    // One that has ended already takes no place.
    let late = try child.connect(.bus(parent), as: role)
    #expect(parent.diagnostics.liveSubscriptions.isEmpty)
    late.cancel()
  }

  @Test("A bus released while its connection is held leaves the bus that feeds it")
  func releasedWhileConnected() throws {
    let parent = makeBus()
    var child: LifecycleBus? = makeBus()
    weak let core = child?.core
    let connection = try child!.connect(.bus(parent), as: .ceiling)
    child = nil
    #expect(parent.diagnostics.liveSubscriptions.isEmpty)
    parent.send(.systemDidWake)
    expectNoDifference(core?.diagnostics.suppressedCounts[.terminated, default: 0] ?? 0, 0)
    connection.cancel()
  }

  // MARK: Of a part

  @Test("A released window's bus withdraws, and one that has ended is no participant")
  func partReleased() throws {
    let bus = makeBus()
    bus.send(.didFinishLaunching)
    var window: LifecycleBus? = makeBus()
    let connection = try bus.connect(.bus(window!), as: .participant("window"))
    window?.send(.didBecomeActive)
    expectNoDifference(bus.phase, .active)
    let token = bus.addObserver { [trace] in trace($0.line) }
    window = nil
    expectNoDifference(
      trace.lines,
      [
        "4 willResignActive active→inactive synthesized",
        "5 didEnterBackground inactive→background synthesized",
      ]
    )
    let closed = makeBus()
    closed.send(all: .didBecomeActive, .willTerminate)
    let late = try bus.connect(.bus(closed), as: .participant("closed"))
    expectNoDifference(bus.phase, .background)
    expectNoDifference(bus.diagnostics.participants.map(\.name), [.application])
    token.cancel()
    for connection in [connection, late] { connection.cancel() }
  }
}

/// Buses that feed each other, from many threads at once. The thread sanitizer runs these, too.
@Suite("Buses as sources: threads")
struct ChildBusThreadTests {
  private let clock = ManualClock()

  @Test("Children that come and go while their parent delivers leave nothing on it")
  func comeAndGo() async {
    let parent = NonisolatedLifecycleBus(clock: clock)
    await awaitOtherThreads(4) { thread in
      for round in 0..<60 {
        if thread == 0 {
          parent.send([.didBecomeActive, .didEnterBackground, .systemDidWake][round % 3])
        } else {
          let child = LifecycleBus(parent: parent)
          let token = child.addObserver { _ in }
          child.send(.didBecomeActive)
          _ = (child.phase, parent.diagnostics.liveSubscriptions.count)
          if round.isMultiple(of: 2) { token.cancel() }
        }
      }
    }
    await mainQueueToDrain()
    await mainQueueToDrain()
    #expect(parent.diagnostics.liveSubscriptions.isEmpty)
  }

  @Test("A child receives the events of its parent in order, whichever threads sent them")
  func sameAsParent() async throws {
    for _ in 0..<20 {
      let parent = NonisolatedLifecycleBus(clock: clock)
      let child = NonisolatedLifecycleBus(clock: clock)
      let connection = try child.connect(.bus(parent), as: .ceiling)
      let seen = Collector<LifecycleEvent.Kind>()
      let received = Collector<LifecycleEvent.Kind>()
      let tokens = [parent.addObserver { received($0.kind) }, child.addObserver { seen($0.kind) }]
      await awaitOtherThreads(4) { thread in
        for round in 0..<20 { parent.send(PhaseOracle.transitions[(thread + round) % 5]) }
      }
      expectNoDifference(child.phase, parent.phase)
      // The child was in the background from the start.
      expectNoDifference([.didFinishLaunching] + seen.values, received.values)
      for token in tokens { token.cancel() }
      connection.cancel()
    }
  }

  @Test("Of two buses that connect to each other at once, one succeeds")
  func twoBusesConnectToEachOther() async {
    for _ in 0..<50 {
      let buses = (0..<2).map { _ in NonisolatedLifecycleBus(clock: clock) }
      let made = Collector<LifecycleCancellable>()
      await awaitOtherThreads(2) { thread in
        if let connection = try? buses[thread].connect(.bus(buses[1 - thread]), as: .ceiling) {
          made(connection)
        }
      }
      expectNoDifference(made.values.count, 1)
      for connection in made.values { connection.cancel() }
      #expect(
        buses.allSatisfy {
          $0.diagnostics.liveSubscriptions.isEmpty && $0.diagnostics.ceilings.isEmpty
        }
      )
    }
  }

  @Test("A child released at the same time as its parent ends once")
  func releasedAtOnce() async {
    for _ in 0..<50 {
      let finished = Counter()
      let parent = Locked<LifecycleBus?>(LifecycleBus(clock: clock))
      let child = Locked<LifecycleBus?>(LifecycleBus(parent: parent.withLock { $0! }))
      let sink = child.withLock { $0! }.events.sink { _ in
        finished.add()
      } receiveValue: { _ in
      }
      await awaitOtherThreads(2) { thread in
        if thread == 0 { parent.withLock { $0.take() }?.send(.systemDidWake) }
        if thread == 1 { _ = child.withLock { $0.take() }?.send(.didBecomeActive) }
      }
      await mainQueueToDrain()
      await mainQueueToDrain()
      expectNoDifference(finished.count, 1)
      withExtendedLifetime(sink) {}
    }
  }
}
