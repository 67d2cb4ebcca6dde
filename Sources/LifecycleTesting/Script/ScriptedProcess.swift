import LifecycleJournaling
import LifecycleSupport
import ReactiveLifecycle

/// One run of the program in a scripted lifecycle: its bus, what feeds it, and what writes down what the
/// bus delivers.
final class ScriptedProcess<Bus: LifecycleBusProtocol> {
  let bus: Bus
  let fileSystem: ProcessFileSystem
  /// What lives as long as the process.
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

  /// Lets nothing of the process reach anything else any more.
  func kill() {
    fileSystem.kill()
    for transcriber in transcribers { transcriber.cancel() }
  }
}
