import ArgumentParser

/// The program that the tests on the real system stop, continue and end.
struct LifecycleProbe: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lifecycle-probe",
    subcommands: [
      Application.self, ChainedHandler.self, ConnectionRace.self, Observe.self, Reconnect.self,
      NestedSession.self,
      ClosedSessions.self, Dying.self, Journal.self, Journals.self, ReleasedBus.self, Stay.self,
      Terminal.self,
    ]
  )
}
