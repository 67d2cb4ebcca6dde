import ArgumentParser
import Foundation
import LifecycleCore
import LifecycleFlightRecording
import LifecycleJournaling
import LifecycleProcess
import LifecycleSystem
import LifecycleTerminal
import TestSupport

/// Runs with closed standard streams. Opens what the libraries open, one after the other, and
/// prints what lies where the streams were. Then it writes there, sends itself a SIGTERM, and
/// prints that an observer has noticed the end.
struct ClosedStreams: ParsableCommand {
  @Argument(help: "A folder for files.") var folder: String

  func run() throws {
    let output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10)
    for stream in 0...2 { close(Int32(stream)) }
    // Ends a process that does not notice the signal.
    alarm(300)
    let bus = NonisolatedLifecycleBus()
    let clock = SystemLifecycleClock.system
    let fired = DispatchSemaphore(value: 0)
    let timer = clock.schedule(at: clock.continuous + .milliseconds(1)) { fired.signal() }
    fired.wait()
    Self.print("timer: \(Self.streams)", output)
    timer.cancel()
    let scope = LifecycleScope("probe")
    bus.addObserver(for: .willTerminate, in: scope) { _ in
      Self.print("willTerminate", output)
    }
    let sources: [any LifecycleSource] = [
      .processSignals(), .systemClock(), .processPauses(), .memoryPressure(),
    ]
    for source in sources {
      let connection = try bus.connect(source)
      Self.print("\(source.name): \(Self.streams)", output)
      connection.cancel()
    }
    let session = try TerminalSession()
    Self.print("terminal: \(Self.streams)", output)
    session.close()
    let journal = try LifecycleJournal(at: "\(folder)/journal", of: bus)
    Self.print("journal: \(Self.streams)", output)
    journal.end()
    let recording = try FlightRecorder(of: bus).write(to: "\(folder)/recording")
    Self.print("recording: \(Self.streams)", output)
    recording.cancel()

    let connection = try bus.connect(.processSignals())
    for _ in 0..<100 {
      for stream in 0...2 { _ = write(Int32(stream), "text", 4) }
    }
    kill(getpid(), SIGTERM)
    withExtendedLifetime((scope, connection)) { while true { sleep(1_000) } }
  }

  /// What lies where the standard streams were, apart from the file with which Dispatch looks at
  /// its threads once a second.
  private static var streams: String {
    let links = (0...2).compactMap { stream -> String? in
      let link = "/proc/self/fd/\(stream)"
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: link)
      return target?.wholeMatch(of: #//proc/\d+/stat/#) == nil ? target : nil
    }
    return links.isEmpty ? "nothing" : links.joined(separator: ", ")
  }

  private static func print(_ text: String, _ output: Int32) {
    let line = Array("\(text)\n".utf8)
    _ = write(output, line, line.count)
  }
}
