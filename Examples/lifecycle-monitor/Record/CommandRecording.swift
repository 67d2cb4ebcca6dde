#if os(Linux)
  import Glibc
  import JobControl
  import LifecycleFlightRecording
  import LifecycleProcess
  import LifecycleSupport
  import LifecycleSystem
  import ReactiveLifecycle

  /// A command that begins in the process group of this process, the bus of its life, and the
  /// recorder of the bus.
  ///
  /// The command shares the terminal, the control group, and the machine with this process: what
  /// the sources of the system report is true of both.
  final class CommandRecording {
    /// The signals that are not passed on: those that report on the command, which stops and
    /// continues this process as it does.
    private static let kept = [SIGCHLD, SIGCONT, SIGTTIN, SIGTTOU]

    private let recorder: FlightRecorder
    private let clock: any LifecycleClock = .system
    private let wait: SignalWait
    private let job: SharedJob
    private let bus = NonisolatedLifecycleBus()
    private let command = CommandSource()
    private let scope = LifecycleScope("command")
    private let terminal: ControllingTerminal
    private var machine = CommandLifeMachine()
    private var flush: @Sendable () -> Void = {}
    /// The group of the command, if this process has given the terminal to it.
    private var receiver: pid_t?

    /// Starts the command.
    ///
    /// - Parameter arguments: The command and its arguments, each as bytes.
    /// - Throws: `JobControlError` if it cannot be started, and `ProcessSignalSource.StartError` if
    ///   the system is short of descriptors.
    init(_ arguments: [[UInt8]]) throws {
      terminal = try ControllingTerminal()
      wait = SignalWait(SignalWait.blockable)
      job = try SharedJob(arguments, blockedSignals: wait.previous)
      // A recording is text.
      let texts = arguments.map { String(decoding: $0, as: UTF8.self) }
      let process = FlightRecording.Process(
        name: FlightRecording.Process.lastComponent(of: texts[0]),
        id: job.processID,
        bootID: clock.bootID,
        run: FlightRecording.Process.newRun()
      )
      recorder = FlightRecorder(of: bus, as: process)
      recorder.note("started \(texts.joined(separator: " ")) as process \(job.processID)")
    }

    /// Records the life of the command until it ends.
    ///
    /// If the file cannot be written, the command continues, and the reason is reported.
    ///
    /// - Parameters:
    ///   - path: The path of the file, as bytes.
    ///   - append: Whether to add the run to a recording that exists.
    ///   - force: Whether to replace the content of a file that exists.
    /// - Returns: How the command has ended.
    func run(writingTo path: [UInt8], append: Bool, force: Bool) -> JobStatus {
      // The file comes first, so that the sources do not take its descriptor.
      let place = RecordingPlace.write(recorder, to: path, append: append, force: force)
      defer { place?.writing.cancel() }
      if let place { flush = place.flush }
      // The source always starts.
      try! bus.connect(command, in: scope)
      do {
        try bus.connectSystem(in: scope)
      } catch {
        // The command runs: what cannot be observed is missing in the recording, and no more.
        recorder.note("cannot observe the system: \(error)")
      }
      defer { takeTerminalBack() }
      _ = take(.started(isForeground: isForeground))
      return untilEnd()
    }

    private func untilEnd() -> JobStatus {
      while true {
        while let status = job.takeStatus() {
          let observation = CommandLifeMachine.Observation.status(
            status,
            isForeground: isForeground,
            isJob: terminal.descriptor != nil && terminal.state != .gone
          )
          if let end = take(observation) { return end }
        }
        let isPolling = machine.waitsForTerminal && terminal.state != .gone
        guard let signal = wait.next(within: isPolling ? 250 : nil) else {
          // A shell gives the terminal back without a signal if the job runs in the background.
          if job.isInOwnGroup, terminal.state == .foreground { resume() }
          _ = take(.terminal(isForeground: isForeground))
          continue
        }
        if isToBePassedOn(signal) { job.signal(signal.signal) }
      }
    }

    private func isToBePassedOn(_ signal: SignalWait.Taken) -> Bool {
      guard !Self.kept.contains(signal.signal) else { return false }
      return switch signal.receiver {
      case .process: true
      case .group: job.isInOwnGroup
      case .cause: false
      }
    }

    /// A Boolean value that indicates whether the command has the terminal, or needs none.
    private var isForeground: Bool {
      job.isInOwnSession || terminal.state(of: job.group) == .foreground
    }

    /// Continues the command, with the terminal if this process has received it.
    private func resume() {
      if let descriptor = terminal.descriptor, terminal.state == .foreground {
        let group = job.group
        // Fails in another session.
        if group != getpgrp(), tcsetpgrp(descriptor, group) == 0 { receiver = group }
      }
      job.resume()
    }

    /// Takes the terminal back for what follows in a script.
    private func takeTerminalBack() {
      guard let descriptor = terminal.descriptor, let receiver, tcgetpgrp(descriptor) == receiver
      else { return }
      tcsetpgrp(descriptor, getpgrp())
    }

    private func take(_ observation: CommandLifeMachine.Observation) -> JobStatus? {
      let instant = clock.now
      for action in machine.take(observation, at: instant.continuous) {
        switch action {
        case .note(let text): recorder.note(text)
        case .send(let kind, let metadata): command.send(kind, metadata: metadata)
        case .stop(let signal):
          // A stopped process may be killed before it continues.
          flush()
          wait.stop(by: signal)
          // A shell continues the group of this process; another program, this process alone.
          resume()
        case .finish(let status): return status
        }
      }
      return nil
    }
  }

  /// A command, as a source of a bus.
  final class CommandSource: LifecycleSource {
    let name: LifecycleSourceName = "command"
    private let feed = Locked<LifecycleFeed?>(nil)

    func start(_ input: LifecycleFeed) -> @Sendable () -> Void {
      feed.discard { feed in
        let previous = feed
        feed = input
        return previous
      }
      return {}
    }

    func send(_ kind: LifecycleEvent.Kind, metadata: [String: String]) {
      feed.withLock { $0 }?.send(kind, metadata: metadata)
    }
  }
#endif
