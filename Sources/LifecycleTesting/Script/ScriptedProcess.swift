package import LifecycleCore
import LifecycleFlightRecording
import LifecycleJournaling
import LifecycleSupport

/// One run of the program in a scripted lifecycle: its bus, the sources of its events, and the
/// writers of the transcript.
final class ScriptedProcess {
  let bus: LifecycleBus
  let fileSystem: ProcessFileSystem
  let replayed: ReplayedSources
  /// The objects that live as long as the process.
  var kept: [Any] = []
  /// What the bus of a replayed process delivered and suppressed.
  let deliveries = TranscriptLog()
  private(set) var recorder: FlightRecorder?
  /// The time at which the transcript began.
  private(set) var beginning = Duration.zero
  /// The number of the process in its script, from 1.
  let number: Int
  private let context: TranscriptContext
  private var script: (feed: LifecycleFeed, connection: LifecycleCancellable)?
  private let transcriber: Transcriber
  /// A Boolean value that indicates whether the transcript has begun.
  private let hasBegun = SharedFlag()

  /// - Parameter isReplayed: Whether the process is that of a recording. The bus of such a process
  ///   is in an unknown state until ``begin()``.
  init(
    _ bus: LifecycleBus,
    number: Int,
    files: JournalFileSystem,
    _ context: TranscriptContext,
    _ log: TranscriptLog,
    isReplayed: Bool
  ) {
    self.bus = bus
    self.number = number
    self.context = context
    fileSystem = ProcessFileSystem(files.storage)
    replayed = ReplayedSources(bus)
    let hasBegun = hasBegun
    let write: @Sendable (Any, LifecyclePhase) -> Void = { [deliveries] value, phase in
      guard hasBegun.isOn else { return }
      let line = LifecycleTranscript.Line.entry(
        time: context.elapsed(),
        phase: phase,
        text: transcriptText(of: value)
      )
      log.append(line)
      if isReplayed { deliveries.append(line) }
    }
    let core = bus.core
    transcriber = Transcriber(of: core) { [fileSystem] in
      if $0.kind == .protectedDataDidBecomeAvailable { fileSystem.unlock() }
      write($0, $0.phase)
    } suppressed: { [weak bus] in
      write($0, bus?.phase ?? .terminated)
    }
    guard !isReplayed else { return }
    begin()
    connectScript()
  }

  /// Begins the transcript and the recording.
  @discardableResult
  func begin() -> FlightRecorder {
    beginning = context.elapsed()
    hasBegun.set(true)
    // Each run is a process of its own.
    var process = FlightRecording.Process.current(bootID: bus.core.clock.bootID)
    process.id = Int32(clamping: number)
    let recorder = FlightRecorder(of: bus, as: process)
    self.recorder = recorder
    return recorder
  }

  func send(_ kind: LifecycleEvent.Kind) -> LifecycleSendResult {
    connectScript().send(kind)
  }

  /// Connects the source of the steps. A process of a recording has it once a step needs it.
  @discardableResult
  private func connectScript() -> LifecycleFeed {
    if let script { return script.feed }
    let source = ScriptSource()
    // The source always starts.
    let connection = try! bus.connect(source)
    let feed = source.feed.withLock { $0! }
    script = (feed, connection)
    return feed
  }

  /// Cuts the process off from its files, from the transcript, and from the recording.
  func kill() {
    fileSystem.kill()
    transcriber.cancel()
    recorder?.cancel()
  }
}

/// A source that reports what a script tells it to: the system in a scripted lifecycle, or a source
/// of a recording.
final class ScriptSource: LifecycleSource {
  let name: LifecycleSourceName
  let feed = Locked<LifecycleFeed?>(nil)

  init(name: LifecycleSourceName = .script) {
    self.name = name
  }

  func start(_ feed: LifecycleFeed) throws -> @Sendable () -> Void {
    self.feed.withLock { $0 = feed }
    return {}
  }
}

extension LifecycleSourceName {
  /// The steps of a ``ScriptedLifecycle``.
  package static let script: Self = "script"
}
