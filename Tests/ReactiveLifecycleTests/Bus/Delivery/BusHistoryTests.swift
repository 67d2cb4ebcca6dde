import CustomDump
import LifecycleTesting
import TestSupport
import Testing

@testable import ReactiveLifecycle

@MainActor
@Suite("The history of a bus")
struct BusHistoryTests {
  /// A moment, in seconds from the beginning of a manual clock.
  private func at(_ seconds: Int) -> ContinuousInstant { .boot + .seconds(3600 + seconds) }

  private func instant(_ clock: ManualClock, movedBy seconds: Int) -> LifecycleInstant {
    var instant = clock.now
    instant.continuous += .seconds(seconds)
    return instant
  }

  @Test("Before the first change of phase there is no answer", arguments: BusKind.allCases)
  func noAnswer(_ kind: BusKind) {
    let clock = ManualClock()
    let bus = kind.make(clock: clock)
    bus.send(.systemDidWake)
    clock.advance(by: .seconds(5))
    expectNoDifference(bus.historyStart, nil)
    expectNoDifference(bus.phase(at: at(0)), nil)
    expectNoDifference(bus.phase(at: at(5)), nil)
    expectNoDifference(bus.foregroundDuration(during: at(0)..<at(5)), nil)
    expectNoDifference(bus.backgroundDuration(during: at(5)..<at(5)), nil)
    bus.send(.didFinishLaunching)
    expectNoDifference(bus.historyStart, at(5))
    expectNoDifference(bus.phase(at: at(5) - .nanoseconds(1)), nil)
    expectNoDifference(bus.phase(at: at(5)), .background)
    expectNoDifference(bus.foregroundDuration(during: at(5) - .nanoseconds(1)..<at(5)), nil)
    expectNoDifference(bus.backgroundDuration(during: at(5)..<at(5)), .zero)
  }

  @Test(
    "A boundary belongs to the new phase; the last phase lasts until now and no longer",
    arguments: BusKind.allCases
  )
  func boundaryBelongsToNewPhase(_ kind: BusKind) {
    let lifecycle = kind.process()
    let bus = lifecycle.bus
    lifecycle.perform(
      .launch,
      .becomeActive,
      .advance(by: .seconds(10)),
      .resignActive,
      .advance(by: .seconds(1)),
      .send(.systemDidWake),
      .duplicate(.willResignActive),
      .enterBackground,
      .sleepDevice(for: .seconds(20)),
      .setWallClock(by: .seconds(-86_400)),
      .stopProcess(for: .seconds(5))
    )
    expectNoDifference(bus.phase(at: at(0)), .active)
    expectNoDifference(bus.phase(at: at(10) - .nanoseconds(1)), .active)
    expectNoDifference(bus.phase(at: at(10)), .inactive)
    expectNoDifference(bus.phase(at: at(11)), .background)
    expectNoDifference(bus.phase(at: at(36)), .background)
    expectNoDifference(bus.phase(at: at(36) + .nanoseconds(1)), nil)
    expectNoDifference(bus.foregroundDuration(during: at(0)..<at(36)), .seconds(11))
    expectNoDifference(bus.backgroundDuration(during: at(0)..<at(36)), .seconds(25))
    expectNoDifference(bus.backgroundDuration(during: at(11)..<at(3600)), .seconds(25))
    expectNoDifference(bus.backgroundDuration(during: at(40)..<at(3600)), .zero)
    expectNoDifference(bus.foregroundDuration(during: at(9)..<at(12)), .seconds(2))
    lifecycle.perform(.advance(by: .seconds(4)))
    expectNoDifference(bus.backgroundDuration(during: at(11)..<at(3600)), .seconds(29))
  }

  @Test("The instants of the events count, not when they were sent", arguments: BusKind.allCases)
  func instantsOfEventsCount(_ kind: BusKind) {
    let clock = ManualClock()
    let bus = kind.make(clock: clock)
    bus.send(.didBecomeActive)
    clock.advance(by: .seconds(10))
    bus.send(.didEnterBackground, at: instant(clock, movedBy: -4))
    expectNoDifference(bus.phase(at: at(5)), .active)
    expectNoDifference(bus.phase(at: at(6)), .background)
    // Earlier than what is known: at the same instant, which that takes for itself.
    bus.send(.willEnterForeground, at: instant(clock, movedBy: -9))
    expectNoDifference(bus.phase(at: at(5)), .active)
    expectNoDifference(bus.phase(at: at(6)), .inactive)
    expectNoDifference(bus.foregroundDuration(during: at(0)..<at(10)), .seconds(10))
    // In the future: it begins there.
    bus.send(.didEnterBackground, at: instant(clock, movedBy: 5))
    expectNoDifference(bus.phase, .background)
    expectNoDifference(bus.phase(at: at(10)), .inactive)
    expectNoDifference(bus.foregroundDuration(during: at(0)..<at(20)), .seconds(10))
    clock.advance(by: .seconds(6))
    expectNoDifference(bus.phase(at: at(15)), .background)
    expectNoDifference(bus.foregroundDuration(during: at(0)..<at(20)), .seconds(15))
    expectNoDifference(bus.backgroundDuration(during: at(0)..<at(20)), .seconds(1))
  }

  @Test(
    "What was terminated is neither in sight nor in the background; the history stays",
    arguments: BusKind.allCases
  )
  func terminatedIsNeitherInSightNorInBackground(_ kind: BusKind) {
    let lifecycle = kind.process()
    let bus = lifecycle.bus
    lifecycle.perform(
      .launch,
      .becomeActive,
      .advance(by: .seconds(3)),
      .terminate,
      .advance(by: .seconds(7))
    )
    bus.send(.didBecomeActive)
    expectNoDifference(bus.phase(at: at(2)), .active)
    expectNoDifference(bus.phase(at: at(3)), .terminated)
    expectNoDifference(bus.phase(at: at(10)), .terminated)
    expectNoDifference(bus.foregroundDuration(during: at(0)..<at(10)), .seconds(3))
    expectNoDifference(bus.backgroundDuration(during: at(0)..<at(10)), .zero)
  }

  @Test(
    "What is left of a released bus remembers, what its release delivered included",
    arguments: BusKind.allCases
  )
  func releasedBusRemembers(_ kind: BusKind) {
    let clock = ManualClock()
    let box = UncheckedBox(kind.make(clock: clock))
    let core = box.value!.core
    box.value!.send(.didBecomeActive)
    clock.advance(by: .seconds(3))
    onOtherThread { _ = box.value!.send(.didEnterBackground) }
    box.value = nil
    clock.advance(by: .seconds(2))
    expectNoDifference(core.historyStart, at(0))
    expectNoDifference(core.phase(at: at(3)), .background)
    expectNoDifference(core.duration(of: .background, during: at(0)..<at(9)), .seconds(2))
  }

  @Test("Phases count from their delivery on, those that a source's end brings included")
  func phasesCountFromTheirDeliveryOn() throws {
    let clock = ManualClock()
    let bus = NonisolatedLifecycleBus(clock: clock)
    let source = TestSource()
    let connection = try bus.connect(source, as: .participant("scene"))
    let phases = LifecycleRecorder(of: LifecyclePhase?.self, of: bus)
    let token = bus.addObserver { event in
      if event.kind == .didBecomeActive { bus.send(.didEnterBackground) }
      phases.record(bus.phase(at: clock.continuous))
    }
    bus.send(.didBecomeActive)
    expectNoDifference(phases.elements, [.background, .inactive, .active, .inactive, .background])
    expectNoDifference(bus.phase(at: clock.continuous), .background)
    clock.advance(by: .seconds(1))
    source.input.send(.willEnterForeground)
    clock.advance(by: .seconds(2))
    connection.cancel()
    clock.advance(by: .seconds(4))
    expectNoDifference(bus.phase(at: at(2)), .inactive)
    expectNoDifference(bus.phase(at: at(3)), .background)
    expectNoDifference(bus.foregroundDuration(during: at(0)..<at(7)), .seconds(2))
    token.cancel()
  }

  @Test("A child bus has a history of its own", arguments: BusKind.allCases)
  func childBusHasHistoryOfItsOwn(_ kind: BusKind) {
    let lifecycle = kind.process()
    let parent = lifecycle.bus
    lifecycle.perform(.launch, .becomeActive, .advance(by: .seconds(1)))
    let child = LifecycleBus(parent: parent)
    expectNoDifference(child.historyStart, at(1))
    lifecycle.perform(.advance(by: .seconds(1)))
    child.send(.didBecomeActive)
    lifecycle.perform(.advance(by: .seconds(2)), .enterBackground, .advance(by: .seconds(4)))
    expectNoDifference(child.foregroundDuration(during: at(1)..<at(8)), .seconds(2))
    expectNoDifference(child.backgroundDuration(during: at(1)..<at(8)), .seconds(5))
    expectNoDifference(parent.foregroundDuration(during: at(0)..<at(8)), .seconds(4))
  }

  @Test("It can be asked on any thread, while others send")
  func readableOnAnyThread() async {
    let clock = ManualClock()
    let bus = NonisolatedLifecycleBus(clock: clock)
    bus.send(.didBecomeActive)
    let wrong = Collector<String>()
    await awaitOtherThreads(4) { thread in
      for round in 0..<300 {
        if thread < 2 {
          clock.advance(by: .seconds(1))
          bus.send(round.isMultiple(of: 2) ? .didEnterBackground : .didBecomeActive)
        } else {
          let start = clock.continuous - .seconds(20)
          let end = clock.continuous
          let parts = [
            bus.foregroundDuration(during: start..<end),
            bus.backgroundDuration(during: start..<end),
          ]
          // In this order: the start moves on when the other threads make the history forget.
          if bus.phase(at: start) == nil, let oldest = bus.historyStart, oldest <= start {
            wrong("no phase at \(start)")
          }
          for part in parts {
            if let part, part > end - start || part < .zero { wrong("\(part) of \(end - start)") }
          }
        }
      }
    }
    expectNoDifference(wrong.values, [])
    let range = bus.historyStart!..<clock.continuous
    expectNoDifference(
      bus.foregroundDuration(during: range)! + bus.backgroundDuration(during: range)!,
      range.upperBound - range.lowerBound
    )
  }
}
