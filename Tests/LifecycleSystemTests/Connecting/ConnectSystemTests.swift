import CustomDump
import LifecycleSystem
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("Connecting all sources of the system")
struct ConnectSystemTests {
  @Test(
    "They are three, with what each can report, until the scope ends",
    arguments: BusKind.allCases
  )
  @MainActor func untilScopeEnds(_ kind: BusKind) throws {
    let bus = EitherBus(kind.make(clock: ManualClock()))
    let scope = LifecycleScope("system")
    let connections = try bus.connectSystem(in: scope, heartbeat: .seconds(3_600))
    let names: [LifecycleSourceName] = ["systemClock", "processPauses", "memoryPressure"]
    expectNoDifference(connections.entries.map(\.source), names)
    func connected() -> [LifecycleEvent.Origin] {
      bus.diagnostics.participants.flatMap(\.sources).map(\.origin)
    }
    expectNoDifference(connected(), names.map { .source($0) })
    #if os(Linux)
      expectNoDifference(
        connections.entries.map(\.availability).first,
        .available(by: "a timer of the kernel")
      )
    #endif
    scope.end()
    expectNoDifference(connected(), [])
  }
}
