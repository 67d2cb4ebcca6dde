import CustomDump
import Dispatch
import LifecycleCombine
import LifecycleSupport
import LifecycleTesting
import TestSupport
import Testing

@testable import ReactiveLifecycle

/// The rows of dead owners don't wait for an event of their kinds: registrations clear them away.
@MainActor
@Suite("G6 Leaving: dead owners")
struct G06DeadOwnerTests {
  private func rowCount(_ bus: any LifecycleBusProtocol) -> Int {
    bus.core.machine.withLock { $0.rowCount }
  }

  @Test("Owners that come and go without an event leave few rows", arguments: BusKind.allCases)
  func comeAndGo(_ kind: BusKind) {
    let bus = kind.make()
    let living = (0..<10).map { _ in Owner() }
    for owner in living { bus.addObserver(owner, for: [.willTerminate]) { _, _ in } }
    var most = 0
    for number in 0..<20_000 {
      let owner = Owner()
      let id: (any Hashable & Sendable)? = number % 2 == 0 ? "id" : nil
      bus.addObserver(owner, for: [.willTerminate], id: id) { _, _ in }
      most = max(most, rowCount(bus))
    }
    // Three times as many rows with owners as owners lived at once; as many tombstones, and 33.
    #expect(most <= 2 * 3 * 12 + 33)
    expectNoDifference(bus.liveSubscriptions.count, 10)
    withExtendedLifetime(living) {}
  }

  @Test(
    "Owners that died at once are cleared away by registrations of every form",
    arguments: BusKind.allCases,
    ObserverForm.allCases
  )
  func diedAtOnce(_ kind: BusKind, _ form: ObserverForm) {
    let bus = kind.make()
    var owners = (0..<1_000).map { _ in Owner() }
    for owner in owners { bus.addObserver(owner, for: [.willTerminate]) { _, _ in } }
    owners = []
    for _ in 0..<1_000 { form.observe(bus) { _ in }.cancel() }
    #expect(rowCount(bus) <= 40)
  }

  @Test("What their closures captured is released", arguments: BusKind.allCases)
  func capturesOfDeadOwnersAreReleased(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    observeDying(bus, Canary { trace("released") })
    expectNoDifference(trace.take(), [])
    bus.addObserver { _ in }.cancel()
    expectNoDifference(trace.take(), ["released"])
  }

  @Test("In a delivery, after the event", arguments: BusKind.allCases)
  func inDelivery(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let first = bus.addObserver { [unowned bus] event in
      bus.addObserver { _ in }.cancel()
      trace("first \(event.shortLine)")
    }
    let last = bus.addObserver { trace("last \($0.shortLine)") }
    observeDying(bus, Canary { trace("released") })
    bus.send(.systemDidWake)
    expectNoDifference(
      trace.lines,
      ["first 1 systemDidWake", "last 1 systemDidWake", "released"]
    )
    first.cancel()
    last.cancel()
  }

  @Test("What is released may use the bus, here and on another thread", arguments: BusKind.allCases)
  func noLock(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    for number in 1...5 {
      observeDying(
        bus,
        Canary { [unowned bus] in
          let use: @Sendable () -> Void = {
            _ = bus.liveSubscriptions
            bus.addObserver(catchUp: .path) { _ in }.cancel()
            bus.send(.systemDidWake)
          }
          use()
          onOtherThread(use)
          trace("\(number)")
        }
      )
    }
    for _ in 1...5 { bus.addObserver { _ in }.cancel() }
    expectNoDifference(trace.lines.sorted(), ["1", "2", "3", "4", "5"])
  }

  @Test("An owner's own release may use the bus", arguments: BusKind.allCases)
  func ownersRelease(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    for _ in 1...5 {
      let owner = Canary { [unowned bus] in
        bus.addObserver { _ in }.cancel()
        trace("released")
      }
      bus.addObserver(owner, for: [.willTerminate]) { _, _ in }
    }
    expectNoDifference(trace.lines.count, 5)
    for _ in 1...5 { bus.addObserver { _ in }.cancel() }
    expectNoDifference(rowCount(bus), 0)
  }

  @Test("Registered elsewhere, a main-actor bus releases them on the main actor")
  func ownerRegisteredElsewhere() async {
    let bus = LifecycleBus(clock: ManualClock())
    let trace = Trace()
    observeDying(bus, Canary { trace(MainQueue.isCurrent ? "main actor" : "elsewhere") })
    onOtherThread { bus.addObserver { _ in }.cancel() }
    expectNoDifference(trace.lines, [])
    await mainQueueToDrain()
    expectNoDifference(trace.lines, ["main actor"])
  }

  /// Registers an owner that is gone when this returns, with a closure that holds the canary.
  private func observeDying(_ bus: any LifecycleBusProtocol, _ canary: Canary) {
    let owner = Owner()
    bus.addObserver(owner, for: [.willTerminate]) { _, _ in canary.sing() }
    withExtendedLifetime(owner) {}
  }
}
