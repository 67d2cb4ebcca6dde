import CustomDump
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

extension G12SameObserverAgainTests {
  @Test("The main-actor forms of a LifecycleBus replace, too")
  func mainActorForms() {
    let bus = LifecycleBus(clock: ManualClock())
    let scope = LifecycleScope()
    let (owner, other) = (Owner(), UnsharedOwner())
    let log = MainActorLog()
    for number in 1...2 {
      bus.addObserver(owner, for: .systemDidWake, id: "event") { _, _ in
        log.add("event, owner \(number)")
      }
      bus.addObserver(other, for: .systemDidWake, id: "event") { _, _ in
        log.add("event, other owner \(number)")
      }
      bus.onReturn(in: scope, id: "return") { _ in log.add("return, scope \(number)") }
      bus.onReturn(in: scope, id: "capture", capturing: { number }) { _, _ in
        log.add("return, capturing \(number)")
      }
      bus.onReturn(owner, id: "return") { _, _ in log.add("return, owner \(number)") }
      bus.onReturn(other, id: "return") { _, _ in log.add("return, other owner \(number)") }
    }
    bus.send(.systemDidWake)
    bus.send(all: .didEnterBackground, .willEnterForeground)
    expectNoDifference(
      log.lines,
      [
        "event, owner 2", "event, other owner 2", "return, scope 2", "return, capturing 2",
        "return, owner 2", "return, other owner 2",
      ]
    )
    scope.end()
    withExtendedLifetime((owner, other)) {}
  }
}
