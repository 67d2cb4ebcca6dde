import LifecycleJournaling
import LifecycleSupport
import ReactiveLifecycle

/// One run of the program in a scripted lifecycle: its bus, the source of its events, and the
/// writers of the transcript.
final class ScriptedProcess<Bus: LifecycleBusProtocol> {
  let bus: Bus
  let fileSystem: ProcessFileSystem
  /// The objects that live as long as the process.
  var kept: [Any] = []
  private let input: LifecycleFeed
  private let connection: LifecycleCancellable
  private let transcribers: [LifecycleSubscription]

  init(
    _ bus: Bus,
    files: JournalFileSystem,
    _ context: TranscriptContext,
    _ log: TranscriptLog
  ) {
    self.bus = bus
    fileSystem = ProcessFileSystem(files.storage)
    let source = ScriptSource()
    // The source always starts.
    connection = try! bus.connect(source)
    input = source.input.withLock { $0! }
    let write: @Sendable (Any, LifecyclePhase) -> Void = { value, phase in
      let time = context.style.rounded(context.elapsed())
      log.append(.entry(time: time, phase: phase, text: context.style.text(of: value)))
    }
    let core = bus.core
    transcribers = [
      core.addTranscriber { write($0, $0.phase) },
      core.addTranscriber(ofSuppressed: { [weak bus] in write($0, bus?.phase ?? .terminated) }),
    ]
  }

  func send(_ kind: LifecycleEvent.Kind) -> LifecycleSendOutcome {
    input.send(kind)
  }

  /// Cuts the process off from its files and from the transcript.
  func kill() {
    fileSystem.kill()
    for transcriber in transcribers { transcriber.cancel() }
  }
}
