import ArgumentParser

/// The program that the tests on the real system stop, continue and end.
struct LifecycleProbe: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lifecycle-probe",
    subcommands: [
      AnsweredQuestion.self, Application.self, BackgroundTerminal.self, ChainedHandler.self,
      ClosedSessions.self, ClosedStreams.self, ConnectionRace.self, DescriptorShortage.self,
      Dying.self, Ending.self, ExpiringSession.self, Fleet.self, ForkedJournal.self,
      ForkedWriters.self, Hosted.self, Journal.self, Journals.self, LateSession.self,
      LeavingObserver.self, NestedSession.self, Observe.self, Reconnect.self, Recording.self,
      ReleasedBus.self, SavedJournal.self, StartingSession.self, Stay.self, Terminal.self,
      TerminalLoop.self, ThreadShortage.self, Thrash.self, WatchAlone.self,
    ]
  )
}
