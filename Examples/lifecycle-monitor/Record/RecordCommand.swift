#if os(Linux)
  import ArgumentParser
  import Foundation
  import JobControl
  import LifecycleFlightRecording

  /// Records the life of a command from outside.
  struct RecordCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "record",
      abstract: "Runs a command, and records its life as far as it can be seen from outside.",
      discussion: """
        Recorded are the start, the stops and continuations, whether the command has the terminal, \
        sleep and clock changes of the machine, pauses and memory pressure of its control group, \
        and the end. A command that uses the library records more itself. The recording contains \
        the arguments of the command.

        The command has the terminal, as if the shell had started it: Ctrl-Z, fg, bg, and Ctrl-C \
        work as usual. In a terminal, lifecycle-monitor stops when its command is stopped, by any \
        signal: continue both with fg, bg, or kill -CONT %1. Signals that are sent to \
        lifecycle-monitor are passed on, also those that are sent to its process group, as the \
        shell's kill %1 does: the command gets them twice. Not passed on are KILL and STOP, which \
        no program sees, CHLD, CONT, TTIN and TTOU, and those of a crash: ILL, TRAP, ABRT, BUS, \
        FPE, SEGV and SYS. \
        The exit status is that of the command; 126 if it cannot be executed, 127 if it is not \
        found. A signal that killed the command ends lifecycle-monitor, too, which exits with 128 \
        and the number of the signal if it is process 1.

        The file is written while the command runs, so that a recording survives whatever ends \
        this program. An existing file is not touched, unless --append adds a run to it, \
        or --force replaces it. The command runs in any case. If the file can't be used, because \
        it is no recording or is just written, for example, the recording is in a file beside it: \
        life-2.jsonl for life.jsonl. There is no recording if no file can be created, or if a \
        folder, a pipe or a device is at the path. The reason is written to standard error. In the \
        recording, bytes of an argument that are not UTF-8 are U+FFFD.

        EXAMPLES
          lifecycle-monitor record life.jsonl -- sleep 60
          lifecycle-monitor record --append life.jsonl -- ./server --port 8080
        """
    )

    @Flag(help: "Add the run to the file, if it is a recording.") var append = false
    @Flag(help: "Replace the file, if it exists.") var force = false

    @Argument(
      help: ArgumentHelp("The file for the recording.", valueName: "file"),
      completion: .file(),
      transform: RecordingArgument.path
    )
    var file: String

    @Argument(
      parsing: .postTerminator,
      help: ArgumentHelp("The command and its arguments, after --.", valueName: "command")
    )
    var command: [String] = []

    func validate() throws {
      if append, force { throw ValidationError("Specify either --append or --force.") }
      if command.isEmpty { throw ValidationError("Specify a command after --.") }
    }

    /// Runs the command, and ends this process in the same way.
    ///
    /// - Parameter arguments: The arguments of this process as bytes, those of the command last.
    func run(_ arguments: [[UInt8]]) -> Never {
      let path = arguments.dropLast(command.count).last {
        String(decoding: $0, as: UTF8.self) == file
      }
      do {
        let recording = try CommandRecording(arguments.suffix(command.count))
        let end = recording.run(writingTo: path ?? Array(file.utf8), append: append, force: force)
        Self.exit(as: end)
      } catch {
        Self.exit(withError: failure(error).reported())
      }
    }

    private static func exit(as status: JobStatus) -> Never {
      switch status {
      case .exited(let code): Foundation.exit(code)
      case .signaled(let signal):
        SignalWait.end(by: signal)
        Foundation.exit(128 + signal)
      case .stopped, .continued: preconditionFailure("The command has not ended.")
      }
    }

    private func failure(_ error: any Error) -> MonitorFailure {
      guard case JobControlError.system(_, let errno) = error else { return MonitorFailure(error) }
      return MonitorFailure(
        "cannot run \(command[0]): \(String(cString: strerror(errno)))",
        status: errno == ENOENT ? 127 : 126
      )
    }
  }
#endif
