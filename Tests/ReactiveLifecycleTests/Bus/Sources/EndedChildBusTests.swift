import CustomDump
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// A bus that has ended has nothing to do with the buses that fed it.
@MainActor
@Suite("Buses as sources: a bus that has ended")
struct EndedChildBusTests {
  nonisolated static let roles: [LifecycleRole] = [.ceiling, .presence, .participant("window")]

  @Test(
    "It gives up its place on the bus that feeds it, and counts none of its events",
    arguments: BusKind.allCases,
    roles
  )
  func leavesTheBusesItFeeds(_ kind: BusKind, _ role: LifecycleRole) throws {
    let parent = kind.make()
    let child = kind.make()
    let connection = try child.connect(.bus(parent), as: role)
    parent.send(.didBecomeActive)
    expectNoDifference(parent.liveSubscriptions.count, 1)
    child.send(.willTerminate)
    #expect(parent.liveSubscriptions.isEmpty)
    for _ in 1...3 { parent.send(.systemDidWake) }
    parent.send(.didEnterBackground)
    expectNoDifference(child.suppressedCount(.terminated), 0)
    expectNoDifference(parent.phase, .background)
    connection.cancel()
  }

  @Test("Released, while its connection is held", arguments: BusKind.allCases)
  func releasedWhileConnected(_ kind: BusKind) throws {
    let parent = kind.make()
    var child: (any LifecycleBusProtocol)? = kind.make()
    weak let core = child?.core
    let connection = try child!.connect(.bus(parent), as: .ceiling)
    child = nil
    #expect(parent.liveSubscriptions.isEmpty)
    parent.send(.systemDidWake)
    expectNoDifference(core?.suppressedCount(.terminated) ?? 0, 0)
    // Held by the connection, so that there is something to count.
    #expect(core != nil)
    connection.cancel()
  }

  @Test("A screen's bus that was ended on its own", arguments: BusKind.allCases)
  func screenBusThatWasEndedOnItsOwn(_ kind: BusKind) {
    let parent = kind.make()
    let screen = LifecycleBus(parent: parent)
    screen.send(.willTerminate)
    #expect(parent.liveSubscriptions.isEmpty)
    parent.send(.didBecomeActive)
    expectNoDifference(screen.suppressedCount(.terminated), 0)
  }

  @Test("One that has ended already takes no place", arguments: BusKind.allCases, roles)
  func connectedAfterItsEnd(_ kind: BusKind, _ role: LifecycleRole) throws {
    let parent = kind.make()
    parent.send(.didBecomeActive)
    let child = kind.make()
    child.send(.willTerminate)
    let connection = try child.connect(.bus(parent), as: role)
    #expect(parent.liveSubscriptions.isEmpty)
    parent.send(.systemDidWake)
    expectNoDifference(child.suppressedCount(.terminated), 0)
    connection.cancel()
  }

  @Test("It may feed the bus that fed it: no cycle is left", arguments: BusKind.allCases)
  func endedBusMayFeedBusThatFedIt(_ kind: BusKind) throws {
    let one = kind.make()
    let other = kind.make()
    let connection = try other.connect(.bus(one))
    #expect(throws: LifecycleBusCycleError.self) { try one.connect(.bus(other)) }
    other.send(.willTerminate)
    let back = try one.connect(.bus(other), as: .participant("other"))
    expectNoDifference(one.phase, .unknown)
    // The first connection's end takes no other's place in the graph.
    connection.cancel()
    #expect(throws: LifecycleBusCycleError.self) { try other.connect(.bus(one)) }
    back.cancel()
  }

  @Test("Ended by the event that it passes on, it ends once", arguments: BusKind.allCases)
  func endedByTheParent(_ kind: BusKind) throws {
    let parent = kind.make()
    let child = kind.make()
    let connection = try child.connect(.bus(parent))
    let trace = Trace()
    let sink = child.events.sink(
      receiveCompletion: { _ in trace("finished") },
      receiveValue: { trace($0.shortLine) }
    )
    parent.send(.willTerminate)
    expectNoDifference(trace.lines, ["1 willTerminate", "finished"])
    #expect(parent.liveSubscriptions.isEmpty)
    sink.cancel()
    connection.cancel()
  }
}
