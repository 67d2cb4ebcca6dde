import LifecycleFlightRecording
import LifecycleJournaling
import LifecycleSupport
package import ReactiveLifecycle

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

/// The sources of a recording, connected to the bus of a scripted process.
final class ReplayedSources {
  private let bus: LifecycleBus
  private var sources: [Int: (name: LifecycleSourceName, feed: LifecycleFeed)] = [:]
  /// Kept as long as the process, whose end disconnects nothing.
  private var connections: [LifecycleCancellable] = []

  init(_ bus: LifecycleBus) {
    self.bus = bus
  }

  /// - Returns: The outcome of an input; nil for other actions.
  func perform(_ step: ReplayStep) -> LifecycleSendResult? {
    switch step.action {
    case .connect(let source):
      sources[source.id] = (source.name, connect(source))
    case .disconnect(let source):
      sources[source]?.feed.disconnect()
    case .send(let kind, 0, let metadata):
      return bus.send(kind, at: step.instant, metadata: metadata)
    case .send(let kind, let source, let metadata):
      return sources[source]?.feed.send(kind, at: step.instant, metadata: metadata)
    case .pass: break
    }
    return nil
  }

  private func connect(_ source: FlightSource) -> LifecycleFeed {
    // A part has the name of its whole, unless that is a stand-in, which has another.
    if let whole = source.whole.flatMap({ sources[$0] }), whole.name == source.name {
      return whole.feed.part(as: source.role)
    }
    let script = ScriptSource(name: source.name)
    // The source always starts.
    connections.append(try! bus.connect(script, as: source.role))
    return script.feed.withLock { $0! }
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

/// A listener that writes down what a bus delivers and suppresses.
///
/// Events on the way down are written before any observer receives them, others before the
/// observers that were registered later. It is not among the live subscriptions: those are the
/// program's.
package final class Transcriber: BusListener {
  private let rows: [ListenerRow]
  private let write: @Sendable (LifecycleEvent) -> Void
  private let writeSuppressed: @Sendable (SuppressedInput) -> Void

  package init(
    of core: LifecycleBusCore,
    events write: @escaping @Sendable (LifecycleEvent) -> Void,
    suppressed writeSuppressed: @escaping @Sendable (SuppressedInput) -> Void
  ) {
    self.write = write
    self.writeSuppressed = writeSuppressed
    rows = [
      ListenerRow(ownedOn: core, kinds: .all, site: nil, joins: false, preparation: .wayDown),
      ListenerRow(ownedOn: core, kinds: .all, site: nil, joins: false, table: .suppressions),
    ]
    for row in rows {
      row.setOwner(self)
      core.listen(row)
    }
  }

  deinit { cancel() }

  package func cancel() {
    for row in rows { row.cancel() }
  }

  package func join(at delivered: DeliveredState) {}
  package func busDidEnd() {}

  package func prepare(for event: LifecycleEvent) { write(event) }

  package func receive(_ event: LifecycleEvent) {
    // Events on the way down were written before.
    if event.phase >= event.previousPhase { write(event) }
  }

  package func receive(_ input: SuppressedInput) { writeSuppressed(input) }
}

/// The files of one process. When the process is killed they are closed, and later writes are
/// ignored.
final class ProcessFileSystem: JournalStorage {
  private struct State {
    var files: [Weak] = []
    var isAlive = true
    var isLocked = false
  }

  private struct Weak {
    weak let file: ProcessFile?
  }

  private let base: any JournalStorage
  private let state = Locked(State())

  init(_ base: any JournalStorage) {
    self.base = base
  }

  func open(
    _ path: String,
    orMakeWith bytes: [UInt8]
  ) throws(JournalFileError) -> JournalFileOpening {
    let (isAlive, isLocked) = state.withLock { ($0.isAlive, $0.isLocked) }
    guard isAlive else { return .opened(ProcessFile(nil)) }
    if isLocked { throw JournalFileError(errno: EPERM) }
    return switch try base.open(path, orMakeWith: bytes) {
    case .opened(let file): .opened(adopt(file))
    case .made(let file): .made(adopt(file))
    case .inUse(let file): .inUse(file)
    case .notARegularFile(let kind): .notARegularFile(kind)
    }
  }

  private func adopt(_ base: any JournalFile) -> ProcessFile {
    let file = ProcessFile(base)
    let isAlive = state.withLock { state in
      if state.isAlive { state.files.append(Weak(file: file)) }
      return state.isAlive
    }
    if !isAlive { file.close() }
    return file
  }

  /// Refuses to open files, as the system does before the first unlock of the device.
  func lock() { state.withLock { $0.isLocked = true } }

  func unlock() { state.withLock { $0.isLocked = false } }

  func kill() {
    let files = state.withLock { state in
      state.isAlive = false
      return state.files
    }
    for file in files { file.file?.close() }
  }
}

/// A file that can be closed while others hold it, and then ignores all calls.
private final class ProcessFile: JournalFile {
  private let base: Locked<(any JournalFile)?>

  init(_ base: (any JournalFile)?) {
    self.base = Locked(base)
  }

  func close() {
    base.take()
  }

  private var open: (any JournalFile)? { base.withLock { $0 } }

  var size: Int {
    get throws(JournalFileError) { try open?.size ?? 0 }
  }

  func read(_ count: Int, at offset: Int) throws(JournalFileError) -> [UInt8] {
    try open?.read(count, at: offset) ?? []
  }

  func write(_ bytes: [UInt8], at offset: Int) throws(JournalFileError) {
    try open?.write(bytes, at: offset)
  }

  func setSize(_ size: Int) throws(JournalFileError) {
    try open?.setSize(size)
  }

  func synchronize() throws(JournalFileError) {
    try open?.synchronize()
  }

  func lock() throws(JournalFileError) -> Bool {
    try open?.lock() ?? true
  }

  func unlock() -> Bool {
    open?.unlock() ?? false
  }

  func copy(to path: String) throws(JournalFileError) -> Bool {
    try open?.copy(to: path) ?? true
  }
}
