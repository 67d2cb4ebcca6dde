import CustomDump
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

extension G11TimeTests {
  /// Not sendable: only main-actor closures can have it.
  private final class Reader {
    var page = 1
  }

  @Test("What a main-actor form captured is handed back, and nil to one that joined too late")
  func mainActorFormHandsBackWhatItCaptured() {
    let clock = ManualClock()
    let bus = LifecycleBus(clock: clock)
    let scope = LifecycleScope()
    let reader = Reader()
    let log = MainActorLog()
    bus.send(.didEnterBackground)
    for number in 1...2 {
      bus.onReturn(in: scope, id: "page", capturing: { reader.page }) { stay, page in
        let seconds = stay.duration.components.seconds
        log.add("\(number): \(seconds) s, page \(page.map(String.init) ?? "nil")")
      }
    }
    clock.advance(by: .seconds(3))
    bus.send(all: .willEnterForeground, .didEnterBackground)
    reader.page = 2
    clock.advance(by: .seconds(5))
    bus.send(.willEnterForeground)
    expectNoDifference(log.lines, ["2: 3 s, page nil", "2: 5 s, page 1"])
    scope.end()
  }
}
