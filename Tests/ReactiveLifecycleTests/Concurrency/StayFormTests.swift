import CustomDump
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("Concurrency: stays as a stream, as a sequence and for an owner")
@MainActor
struct StayFormTests {
  @Test("All forms see the same stays, in the same order", arguments: BusKind.allCases)
  func sameStays(_ kind: BusKind) async {
    let lifecycle = kind.activeProcess()
    let bus = lifecycle.bus
    let scope = LifecycleScope()
    let owner = Owner()
    let published = Collector<BackgroundStay>()
    let owned = Collector<BackgroundStay>()
    let scoped = Collector<BackgroundStay>()
    let held = Collector<BackgroundStay>()
    bus.backgroundStays.sink { published($0) }.store(in: scope)
    bus.onReturn(owner) { _, stay in owned(stay) }
    bus.onReturn(in: scope) { scoped($0) }
    let token = bus.onReturn { held($0) }
    let sequence = scope.task(for: bus.backgroundStays) { stays in
      var values: [BackgroundStay] = []
      for await stay in stays { values.append(stay) }
      return values
    }
    lifecycle.perform(.background(for: .seconds(5)))
    lifecycle.perform(.enterBackground, .sleepDevice(for: .seconds(60)), .enterForeground)
    lifecycle.perform(.background(for: .zero), .terminate)
    let stays = await sequence.value
    expectNoDifference(stays.map(\.duration), [.seconds(5), .seconds(60), .zero])
    expectNoDifference(published.values, stays)
    expectNoDifference(owned.values, stays)
    expectNoDifference(scoped.values, stays)
    expectNoDifference(held.values, stays)
    token.cancel()
    withExtendedLifetime(owner) {}
  }

  @Test("The main-actor forms of a LifecycleBus are called once per return, with its stay")
  func mainActorForms() {
    let clock = ManualClock()
    let bus = LifecycleBus(clock: clock)
    let scope = LifecycleScope()
    let (owner, other) = (Owner(), UnsharedOwner())
    let log = MainActorLog()
    let note: @MainActor (String, BackgroundStay) -> Void = { form, stay in
      log.add("\(form): \(stay.duration.components.seconds) s")
    }
    let token = bus.onReturn { note("token", $0) }
    bus.onReturn(in: scope) { note("scope", $0) }
    bus.onReturn(in: scope, capturing: { 1 }) { stay, _ in note("capturing", stay) }
    bus.onReturn(owner) {
      #expect($0 === owner)
      note("owner", $1)
    }
    bus.onReturn(other) {
      #expect($0 === other)
      note("other owner", $1)
    }
    let forms = ["token", "scope", "capturing", "owner", "other owner"]
    // The first foreground is no return.
    bus.send(all: .didBecomeActive, .didEnterBackground)
    for seconds in [5, 7] {
      clock.advance(by: .seconds(seconds))
      bus.send(all: .willEnterForeground, .didBecomeActive, .didEnterBackground)
    }
    expectNoDifference(log.lines, [5, 7].flatMap { s in forms.map { "\($0): \(s) s" } })
    token.cancel()
    scope.end()
  }
}
