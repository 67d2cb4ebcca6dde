import ArgumentParser
import Dispatch
import Foundation
import LifecycleCombine
import LifecycleCore
import LifecycleProcess
import LifecycleSupport
import LifecycleSystem
import TestSupport

/// Prints every event of a bus that the process's signals are connected to, until it is killed.
///
/// SIGUSR1 asks for a sign of life. SIGUSR2 asks for the action that an option names.
struct Observe: ParsableCommand {
  enum BusKind: String, ExpressibleByArgument {
    case main, nonisolated
  }

  enum Termination: String, ExpressibleByArgument {
    case reraise, observe

    var choice: ProcessSignalSource.Termination { self == .reraise ? .reraise : .observe }
  }

  enum OwnSource: String, ExpressibleByArgument {
    case before, after

    /// Made and cancelled before the connection, and a SIGTERM comes after that.
    case stranded

    /// Made before the connection, and without the handler that Dispatch has installed for it.
    case withoutHandler
  }

  @Option var bus = BusKind.main
  @Option var termination = Termination.reraise

  @Option(help: "A signal that the source takes. By default all.")
  var taking: [SignalName] = []

  @Option(help: "A signal that requests a reload.")
  var reload: [SignalName] = []

  @OptionGroup var other: OtherBus

  @Option(
    help: """
      How long observers may hold up a stop or the end, in milliseconds. By default for ever: a busy \
      machine must not come in between.
      """
  )
  var deadline = 3_600_000

  @Option(help: "How long an observer of --slow-kind takes, in milliseconds.")
  var slow: Int?

  @Option var slowKind = "didEnterBackground"

  @Flag(help: "Blocks the main thread once the source is connected.")
  var blockMain = false

  @Flag(help: "Installs handlers of the program's own before the source is connected.")
  var ownHandlers = false

  @Flag(help: "Blocks SIGHUP in all threads of the program, and asks for it in one of them.")
  var awaitHangUp = false

  @Option(
    parsing: .upToNextOption,
    help: "Signals that the slow observer raises the first time, before it takes long."
  )
  var raiseInObserver: [CInt] = []

  @Option(
    parsing: .upToNextOption,
    help: "Signals that the first report of an overrun raises, while the engine waits for it."
  )
  var raiseOnOverrun: [CInt] = []

  @Option(help: "How long observers may take to answer an exit request, in milliseconds.")
  var asking: Int?

  @Option(
    name: .customLong("answer"),
    help: "What an observer of exit requests answers, one after the other; the last one for ever."
  )
  var answers: [ProbeAnswer] = []

  @Option(help: "Makes a Dispatch source for SIGTERM, before or after the connection.")
  var ownSource: OwnSource?

  @Option(help: "What to do on SIGUSR2.")
  var action: ProbeAction?

  @Option(help: "Has an observer of events of this kind do that, too.")
  var actionKind: String?

  @Flag(help: "Adds a watch to the thread of the process, before the source is connected.")
  var watch = false

  @Flag(help: "Has that watch cancel the connection on a SIGCONT, on the thread of the process.")
  var watchDisconnects = false

  @Flag(help: "Connects the sources of the system, and prints what they can report.")
  var system = false

  @Flag(help: "Leaves the session of its terminal once the source is connected, as a daemon does.")
  var leavesSession = false

  @Flag(help: "Does not connect the process's signals.")
  var unconnected = false

  @Option(help: "The interval at which the process looks for gaps, in milliseconds.")
  var heartbeat: Int?

  @Option(help: "How long the handler of SIGCONT waits before it does anything, in milliseconds.")
  var slowContinue: UInt32?

  @Option(
    name: .customLong("task"),
    help: "A background task: see ProbeTask."
  )
  var tasks: [ProbeTask] = []

  func run() throws {
    try MainActor.assumeIsolated { try observe() }
  }

  @MainActor private func observe() throws {
    if ownHandlers { installOwnHandlers() }
    if awaitHangUp { waitOnThread(for: SIGHUP) { emit(.note("took SIGHUP")) } }
    let dispositions = currentDispositions()
    var sources: [any DispatchSourceSignal] = []
    switch ownSource {
    case .before: sources.append(makeOwnTermSource())
    case .stranded: strand(SIGTERM, after: makeOwnTermSource())
    case .withoutHandler:
      sources.append(makeOwnTermSource())
      signal(SIGTERM, SIG_DFL)
    case .after, nil: break
    }

    let watcher = watch ? ProbeWatch() : nil
    if let watcher { try ProcessThread.add(watcher) }
    let tasks = ProbeTasks(tasks)
    let (connection, scope) = makeConnection(tasks)
    if watchDisconnects { watcher?.connection.withLock { $0 = connection } }
    if !unconnected { try connection.connect() }
    let other = try other.connect(deadline: deadline)
    if let slowContinue { SlowHandler.install(for: SIGCONT, milliseconds: slowContinue) }
    defer { withExtendedLifetime((scope, sources, other)) {} }

    if ownSource == .after { sources.append(makeOwnTermSource()) }
    sources.append(makeSource(SIGUSR1) { [self] in answer() })
    sources.append(
      makeSource(SIGUSR2) { [action] in
        action?.perform(connection, earlierDispositions: dispositions)
      }
    )
    tasks.begin(.before)
    emit(.ready)
    if leavesSession {
      setsid()
      // No session ends it any more.
      alarm(600)
    }
    if blockMain {
      while true { sleep(1_000) }
    } else {
      while true { RunLoop.main.run() }
    }
  }

  @MainActor private func makeConnection(_ tasks: ProbeTasks) -> (ProbeConnection, Any) {
    let source = ProcessSignalSource.processSignals(
      taking: taking.isEmpty ? .all : SignalName.set(taking),
      reload: SignalName.set(reload),
      deadline: .milliseconds(deadline),
      asking: asking.map { .milliseconds($0) },
      termination: termination.choice
    ) { [signals = OwnSignals(raiseOnOverrun)] overrun in
      signals.raise()
      emit(.overrun(overrun.description))
    }
    return switch bus {
    case .main: observe(LifecycleBus(), source, tasks)
    case .nonisolated: observe(NonisolatedLifecycleBus(), source, tasks)
    }
  }

  private func observe(
    _ bus: some LifecycleBusProtocol,
    _ source: ProcessSignalSource,
    _ tasks: ProbeTasks
  ) -> (ProbeConnection, Any) {
    let scope = LifecycleScope("probe")
    let connection = ProbeConnection { try bus.connect(source) }
    connectSystem(to: bus, in: scope)
    // Downward events reach the later observer first: they are printed before they take long.
    let signals = OwnSignals(raiseInObserver)
    bus.addObserver(in: scope) { [self] event in takeTime(event, raising: signals) }
    let dispositions = currentDispositions()
    bus.addObserver(in: scope) { [self] event in
      guard event.kind.rawValue == actionKind else { return }
      action?.perform(connection, earlierDispositions: dispositions)
    }
    bus.addObserver(in: scope) { event in
      emit(.event(event))
      tasks.receive(event)
    }
    if !answers.isEmpty {
      bus.onExitRequest(in: scope) { [answers = ProbeAnswers(answers)] request in
        await answers.answer(request)
      }
    }
    let suppressed = bus.suppressedInputs.sink { @Sendable in
      emit(.suppressed($0.kind, reason: "\($0.reason)"))
    }
    return (connection, (bus, scope, suppressed))
  }

  private func connectSystem(to bus: some LifecycleBusProtocol, in scope: LifecycleScope) {
    guard system else { return }
    do {
      let interval = heartbeat.map { Duration.milliseconds($0) }
      emit(.system("\(try bus.connectSystem(in: scope, heartbeat: interval))"))
    } catch {
      emit(.system("\(error)"))
    }
  }

  private func takeTime(_ event: LifecycleEvent, raising signals: OwnSignals) {
    guard let slow, event.kind.rawValue == slowKind else { return }
    signals.raise()
    let end = ContinuousClock.now + .milliseconds(slow)
    // Signals interrupt the sleep.
    while ContinuousClock.now < end { usleep(useconds_t((end - .now) / .microseconds(1)) + 1) }
    emit(.slowObserverFinished(slowKind))
  }

  /// Answers after what waits for the main thread already, unless that is blocked.
  private func answer() {
    if blockMain {
      emit(.pong)
    } else {
      DispatchQueue.main.async { emit(.pong) }
    }
  }

  private func makeOwnTermSource() -> any DispatchSourceSignal {
    makeSource(SIGTERM) { emit(.ownTermSource) }
  }
}
