import CustomDump
import LifecycleCombine
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// Who outlives whom.
@MainActor
@Suite("Buses as sources: the end")
struct ChildBusEndTests {
  @Test("A released child leaves no row and no core behind", arguments: BusKind.allCases)
  func childReleased(_ kind: BusKind) {
    let parent = kind.make()
    parent.send(.didBecomeActive)
    let trace = Trace()
    let token = parent.addObserver { trace($0.line) }
    var child: LifecycleBus? = LifecycleBus(parent: parent)
    weak let bus = child
    weak let core = child?.core
    var sink: AnyCancellable? = child?.events.sink(
      receiveCompletion: { _ in trace("child finished") },
      receiveValue: { trace("child \($0.kind)") }
    )
    child?.send(.didBecomeActive)
    expectNoDifference(parent.liveSubscriptions.count, 2)
    child = nil
    expectNoDifference(parent.liveSubscriptions.count, 1)
    parent.send(.willResignActive)
    expectNoDifference(
      trace.lines,
      [
        "child willEnterForeground", "child didBecomeActive", "child finished",
        "4 willResignActive active→inactive manual",
      ]
    )
    _ = sink
    sink = nil
    #expect(bus == nil)
    #expect(core == nil)
    token.cancel()
  }

  @Test(
    "A child released by an observer of the event in delivery is silent for it",
    arguments: BusKind.allCases
  )
  func childReleasedInDelivery(_ kind: BusKind) {
    let parent = kind.make()
    let child = Locked<LifecycleBus?>(nil)
    let trace = Trace()
    let token = parent.addObserver { event in
      trace("parent \(event.kind)")
      let released = child.withLock { $0.take() }
      withExtendedLifetime(released) {}
    }
    child.withLock { $0 = LifecycleBus(parent: parent) }
    weak let core = child.withLock { $0?.core }
    var sink = child.withLock { $0 }?.events.sink { trace("child \($0.kind)") }
    parent.send(.systemDidWake)
    parent.send(.systemWillSleep)
    expectNoDifference(trace.lines, ["parent systemDidWake", "parent systemWillSleep"])
    expectNoDifference(parent.liveSubscriptions.count, 1)
    sink?.cancel()
    sink = nil
    #expect(core == nil)
    token.cancel()
  }

  @Test(
    "The end of the parent is the end of the child, its own event included",
    arguments: BusKind.allCases
  )
  func parentTerminated(_ kind: BusKind) {
    let parent = kind.make()
    parent.send(.didBecomeActive)
    let child = LifecycleBus(parent: parent)
    child.send(.didBecomeActive)
    let trace = Trace()
    let sink = child.events.sink(
      receiveCompletion: { _ in trace("finished") },
      receiveValue: { trace($0.line) }
    )
    let suppressed = child.suppressedInputs.sink(
      receiveCompletion: { _ in trace("suppressed finished") },
      receiveValue: { trace($0.line) }
    )
    parent.send(.willTerminate)
    expectNoDifference(child.phase, .terminated)
    expectNoDifference(child.send(.didBecomeActive), .suppressed(.terminated))
    expectNoDifference(
      trace.lines,
      [
        "4 willResignActive active→inactive source(bus)",
        "5 didEnterBackground inactive→background source(bus)",
        "6 willTerminate background→terminated source(bus)",
        "finished",
        // G8: these go on until the bus is released.
        "didBecomeActive terminated manual",
      ]
    )
    sink.cancel()
    suppressed.cancel()
  }

  @Test("A released parent ends its child without an event", arguments: BusKind.allCases)
  func parentReleased(_ kind: BusKind) {
    var parent: (any LifecycleBusProtocol)? = kind.make()
    let child = LifecycleBus(parent: parent!)
    let grandchild = LifecycleBus(parent: child)
    parent?.send(.didBecomeActive)
    child.send(.didBecomeActive)
    let trace = Trace()
    let sinks = [("child", child), ("grandchild", grandchild)].map { name, bus in
      bus.events.sink(
        receiveCompletion: { _ in trace("\(name) finished") },
        receiveValue: { trace("\(name) \($0.line)") }
      )
    }
    parent = nil
    expectNoDifference(child.send(.didEnterBackground), .suppressed(.terminated))
    expectNoDifference(grandchild.send(.didBecomeActive), .suppressed(.terminated))
    expectNoDifference(trace.lines.sorted(), ["child finished", "grandchild finished"])
    for sink in sinks { sink.cancel() }
  }

  @Test("Neither a connection nor a child keeps the parent alive", arguments: BusKind.allCases)
  func parentIsNotRetained(_ kind: BusKind) throws {
    var parent: (any LifecycleBusProtocol)? = kind.make()
    weak let bus = parent
    let child = LifecycleBus(parent: parent!)
    let other = NonisolatedLifecycleBus(clock: ManualClock())
    let connection = try other.connect(.bus(parent!), as: .participant("parent"))
    parent = nil
    #expect(bus == nil)
    connection.cancel()
    withExtendedLifetime(child) {}
  }

  @Test("Connected to a parent that has ended, a child ends at once", arguments: BusKind.allCases)
  func underAnEndedParent(_ kind: BusKind) {
    let parent = kind.make()
    parent.send(.willTerminate)
    let child = LifecycleBus(parent: parent)
    expectNoDifference(child.phase, .terminated)
    expectNoDifference(child.send(.didBecomeActive), .suppressed(.terminated))
    let trace = Trace()
    let sink = child.events.sink(
      receiveCompletion: { _ in trace("finished") },
      receiveValue: { trace($0.line) }
    )
    expectNoDifference(trace.lines, ["finished"])
    sink.cancel()
  }

  @Test("A participant's bus that has ended already says nothing", arguments: BusKind.allCases)
  func endedPresence(_ kind: BusKind) throws {
    let window = NonisolatedLifecycleBus(clock: ManualClock())
    window.send(.didBecomeActive)
    window.send(.willTerminate)
    let bus = kind.make()
    bus.send(.didFinishLaunching)
    let connection = try bus.connect(.bus(window), as: .participant("window"))
    expectNoDifference(bus.phase, .background)
    expectNoDifference(bus.diagnostics.participants.map(\.name), [.application])
    expectNoDifference(bus.send(.didBecomeActive), .delivered)
    connection.cancel()
  }

  @Test("What a source withdraws after its bus has ended with the parent changes nothing")
  func withdrawnAfterTheEnd() throws {
    let clock = ManualClock()
    var parent: NonisolatedLifecycleBus? = NonisolatedLifecycleBus(clock: clock)
    parent?.send(.didBecomeActive)
    let child = NonisolatedLifecycleBus(clock: clock)
    child.send(.didBecomeActive)
    let lock = TestSource("lock")
    let connections = [
      try child.connect(.bus(parent!), as: .ceiling), try child.connect(lock, as: .ceiling),
    ]
    lock.input.send(.didFinishLaunching)
    expectNoDifference(child.phase, .background)
    parent = nil
    connections[1].cancel()
    expectNoDifference(child.phase, .background)
    expectNoDifference(lock.input.send(.didBecomeActive), .suppressed(.disconnected))
    expectNoDifference(child.send(.didBecomeActive), .suppressed(.terminated))
    connections[0].cancel()
  }

  @Test("A bus that is released withdraws as a presence, too", arguments: BusKind.allCases)
  func presenceReleasedBesideParticipant(_ kind: BusKind) throws {
    let bus = kind.make()
    let window = TestSource("window")
    var process: NonisolatedLifecycleBus? = NonisolatedLifecycleBus(clock: ManualClock())
    let connections = [
      try bus.connect(.bus(process!)),
      try bus.connect(window, as: .participant("window")),
    ]
    window.input.send(.didFinishLaunching)
    process?.send(.didBecomeActive)
    expectNoDifference(bus.phase, .active)
    process = nil
    expectNoDifference(bus.phase, .background)
    expectNoDifference(window.input.send(.didBecomeActive), .delivered)
    for connection in connections { connection.cancel() }
  }

  @Test("A presence that is released withdraws", arguments: BusKind.allCases)
  func presenceReleased(_ kind: BusKind) throws {
    let bus = kind.make()
    bus.send(.didFinishLaunching)
    var window: NonisolatedLifecycleBus? = NonisolatedLifecycleBus(clock: ManualClock())
    let connection = try bus.connect(.bus(window!), as: .participant("window"))
    window?.send(.didBecomeActive)
    expectNoDifference(bus.phase, .active)
    let trace = Trace()
    let token = bus.addObserver { trace($0.line) }
    window = nil
    expectNoDifference(
      trace.lines,
      [
        "4 willResignActive active→inactive synthesized",
        "5 didEnterBackground inactive→background synthesized",
      ]
    )
    token.cancel()
    connection.cancel()
  }
}
