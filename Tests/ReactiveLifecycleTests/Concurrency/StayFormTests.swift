import CustomDump
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("Stays in every form")
@MainActor
struct StayFormTests {
  @Test("All forms receive the same stays, once a return, in the same order")
  func sameStays() async {
    let clock = ManualClock()
    let bus = LifecycleBus(clock: clock)
    let scope = LifecycleScope()
    let (owner, unshared) = (Owner(), UnsharedOwner())
    let log = MainActorLog()
    let note: @MainActor (String, BackgroundStay) -> Void = { form, stay in
      log.add("\(form): \(stay.timeAway.components.seconds) s")
    }
    bus.onReturn(in: scope) { note("scope", $0) }
    bus.onReturn(in: scope, capturing: { 1 }) { stay, _ in note("capturing", stay) }
    bus.onReturn(owner) {
      #expect($0 === owner)
      note("owner", $1)
    }
    bus.onReturn(unshared) {
      #expect($0 === unshared)
      note("unshared owner", $1)
    }
    bus.backgroundStays.sink { note("stream", $0) }.store(in: scope)
    let task = scope.task(for: bus.backgroundStays) { stays in
      var seconds: [Int64] = []
      for await stay in stays { seconds.append(stay.timeAway.components.seconds) }
      return seconds
    }
    let forms = ["scope", "capturing", "owner", "unshared owner", "stream"]
    // The first foreground is no return.
    bus.send(all: .didBecomeActive, .didEnterBackground)
    for seconds in [5, 7] {
      clock.advance(by: .seconds(seconds))
      bus.send(all: .willEnterForeground, .didBecomeActive, .didEnterBackground)
    }
    bus.send(.willTerminate)
    expectNoDifference(log.lines, [5, 7].flatMap { s in forms.map { "\($0): \(s) s" } })
    let seconds = await task.value
    expectNoDifference(seconds, [5, 7])
    scope.end()
  }
}
