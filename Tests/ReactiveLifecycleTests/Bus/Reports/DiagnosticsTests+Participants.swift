import CustomDump
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

extension DiagnosticsTests {
  @Test("A participant that has ended is listed as terminated", arguments: BusKind.allCases)
  func endedParticipantIsListedAsTerminated(_ kind: BusKind) throws {
    let bus = kind.make()
    let window = TestSource("window")
    let connection = try bus.connect(window, as: .participant("window"))
    bus.send(.willEnterForeground)
    for input in [LifecycleEvent.Kind.didBecomeActive, .willTerminate] { window.input.send(input) }
    let diagnostics = bus.diagnostics
    expectNoDifference(
      diagnostics.participants.map { "\($0.name) \($0.phase)" },
      ["application inactive", "window terminated"]
    )
    expectNoDifference(diagnostics.phase, .inactive)
    connection.cancel()
  }

  @Test(
    "The inputs of the program itself are one source, before those that were connected earlier",
    arguments: BusKind.allCases
  )
  func inputsOfTheProgramAreOneSource(_ kind: BusKind) throws {
    let bus = kind.make()
    let connection = try bus.connect(TestSource("system"))
    expectNoDifference(bus.diagnostics.participants[0].sources.map(\.origin), [.source("system")])
    for input in [LifecycleEvent.Kind.systemDidWake, .willEnterForeground] {
      bus.send(input)
      let sources = bus.diagnostics.participants[0].sources
      expectNoDifference(sources.map(\.origin), [.manual, .source("system")])
      expectNoDifference(sources[0].lastInput?.kind, input)
    }
    connection.cancel()
  }
}
