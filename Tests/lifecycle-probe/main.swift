import ArgumentParser
import Foundation
import JobControl
import TestSupport

/// The program that the tests on the real system stop, continue and end.
struct LifecycleProbe: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lifecycle-probe",
    subcommands: [
      AnsweredQuestion.self, Application.self, BackgroundTerminal.self, ChainedHandler.self,
      ClosedSessions.self, ClosedStreams.self, ConnectionRace.self, DescriptorShortage.self,
      Dying.self, Ending.self, ExpiringSession.self, ForkedJournal.self,
      ForkedWriters.self, Hosted.self, Journal.self, Journals.self, LateSession.self,
      LeavingObserver.self, NestedSession.self, Observe.self, Reconnect.self, Recording.self,
      ReleasedBus.self, SavedJournal.self, StartingSession.self, Stay.self, Terminal.self,
      TerminalLoop.self, ThreadShortage.self, Thrash.self, WatchAlone.self,
    ]
  )
}

/// Prints a line at once and in one piece, from any thread.
func emit(_ content: ProbeLine.Content) {
  FileHandle.standardOutput.write(encodedLine(content))
}

/// The line that `emit` prints.
func encodedLine(_ content: ProbeLine.Content) -> Data {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  guard let data = try? encoder.encode(ProbeLine(content)) else { return Data() }
  return data + Data("\n".utf8)
}

/// Prints a text in one piece, from any thread, as the last before a kill.
func printLine(_ text: String) {
  let line = Array("\(text)\n".utf8)
  _ = write(STDOUT_FILENO, line, line.count)
}

/// Sets the limit of a resource that is in force, up to the highest that the process may have.
func setSoftLimit(_ resource: __rlimit_resource, to limit: rlim_t) {
  let resource = __rlimit_resource_t(resource.rawValue)
  var limits = rlimit()
  getrlimit(resource, &limits)
  limits.rlim_cur = min(limit, limits.rlim_max)
  setrlimit(resource, &limits)
}

JobControlShell.runIfRequested(CommandLine.arguments)
LifecycleProbe.main()
