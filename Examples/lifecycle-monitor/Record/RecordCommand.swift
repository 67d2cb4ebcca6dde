#if os(Linux)
  import ArgumentParser
  import Foundation
  import JobControl
  import LifecycleFlightRecording
  import ProgramReporting

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
        The exit status is that of the command; 128 and the number of the signal that killed it; \
        126 if it cannot be executed, 127 if it is not found.

        The file is written while the command runs, so that a recording survives whatever ends \
        this program. An existing file is not touched, unless --append adds a run to it, \
        or --force replaces it.

        EXAMPLES
          lifecycle-monitor record life.jsonl -- sleep 60
          lifecycle-monitor record --append life.jsonl -- ./server --port 8080
        """
    )

    @Flag(help: "Add the run to the file, if it exists.") var append = false
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

    /// Runs the command.
    ///
    /// - Returns: The status to exit with.
    func outcome() -> ExitCode {
      do throws(MonitorFailure) {
        let isNew = try prepareFile()
        do {
          let recording = try CommandRecording(command)
          return ExitCode(recording.run(writingTo: file, replacing: force))
        } catch {
          if isNew { unlink(file) }
          throw failure(error)
        }
      } catch {
        return error.reported()
      }
    }

    private func failure(_ error: any Error) -> MonitorFailure {
      guard case JobControlError.system(_, let errno) = error else { return MonitorFailure(error) }
      return MonitorFailure(
        "cannot run \(command[0]): \(String(cString: strerror(errno)))",
        status: errno == ENOENT ? 127 : 126
      )
    }

    /// Creates the file before the command is started, or checks that it can be changed.
    ///
    /// - Returns: Whether there was none.
    private func prepareFile() throws(MonitorFailure) -> Bool {
      // To open a pipe would wait for its reader.
      let flags = O_WRONLY | O_NONBLOCK | O_CLOEXEC
      var descriptor = open(file, flags | O_CREAT | O_EXCL, 0o600)
      let isNew = descriptor >= 0
      if !isNew, errno == EEXIST, append || force {
        descriptor = open(file, flags | O_CREAT, 0o600)
      }
      guard descriptor >= 0 else {
        throw uncreatable(
          errno == EEXIST
            ? "it exists; use --append or --force" : String(cString: strerror(errno))
        )
      }
      defer { close(descriptor) }
      var status = stat()
      guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
        throw uncreatable("it is not a regular file")
      }
      if append, status.st_size > 0 {
        do throws(FlightFileError) {
          _ = try FlightFile(contentsOf: file)
        } catch {
          throw MonitorFailure(error)
        }
      }
      return isNew
    }

    private func uncreatable(_ reason: String) -> MonitorFailure {
      MonitorFailure("cannot create \(file): \(reason)", status: EX_CANTCREAT)
    }
  }
#endif
