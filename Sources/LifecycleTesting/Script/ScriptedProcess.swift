import LifecycleFlightRecording
import LifecycleJournaling
import LifecycleSupport
import ReactiveLifecycle

/// One run of the program in a scripted lifecycle: its bus, the sources of its events, and the
/// writers of the transcript.
final class ScriptedProcess<Bus: LifecycleBusProtocol> {
  let bus: Bus
  let fileSystem: ProcessFileSystem
  let replayed: ReplayedSources<Bus>
  /// The objects that live as long as the process.
  var kept: [Any] = []
  /// What the bus delivered and suppressed, with exact durations.
  let deliveries = TranscriptLog()
  private(set) var recorder: FlightRecorder?
  /// The time at which the transcript began.
  private(set) var beginning = Duration.zero
  /// The number of the process in its script, from 1.
  let number: Int
  private let context: TranscriptContext
  private var script: (input: LifecycleFeed, connection: LifecycleCancellable)?
  private let transcriber: Transcriber
  /// A Boolean value that indicates whether the transcript has begun.
  private let hasBegun = SharedFlag()

  /// - Parameter isReplayed: Whether the process is that of a recording. The bus of such a process
  ///   is in an unknown state until ``begin()``.
  init(
    _ bus: Bus,
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
      let time = context.elapsed()
      let style = context.style
      log.append(.entry(time: style.rounded(time), phase: phase, text: style.text(of: value)))
      guard isReplayed else { return }
      let text = LifecycleTranscript.Style().text(of: value)
      deliveries.append(.entry(time: time, phase: phase, text: text))
    }
    let core = bus.core
    transcriber = Transcriber(of: core) {
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

  func send(_ kind: LifecycleEvent.Kind) -> LifecycleSendOutcome {
    connectScript().send(kind)
  }

  /// Connects the source of the steps. A process of a recording has it once a step needs it.
  @discardableResult
  private func connectScript() -> LifecycleFeed {
    if let script { return script.input }
    let source = ScriptSource()
    // The source always starts.
    let connection = try! bus.connect(source)
    let input = source.input.withLock { $0! }
    script = (input, connection)
    return input
  }

  /// Cuts the process off from its files, from the transcript, and from the recording.
  func kill() {
    fileSystem.kill()
    transcriber.cancel()
    recorder?.cancel()
  }
}
