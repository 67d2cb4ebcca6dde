import IssueReporting
import LifecycleCombine
public import LifecycleCore
public import LifecycleFlightRecording
public import LifecycleJournaling
import LifecycleSupport

/// A process whose life is a script, in virtual time, for tests of view models.
///
/// ```swift
/// let lifecycle = ScriptedLifecycle()
/// let viewModel = RentalViewModel(seconds: 300, bus: lifecycle.bus)
/// lifecycle.perform(.launch, .becomeActive, .background(for: .seconds(90)))
/// #expect(viewModel.remainingSeconds == 210)
/// ```
///
/// When `perform` returns, the step is complete: its events have reached every observer, and all
/// work that is due on the ``clock`` has run. ``transcript`` contains the steps, the events, and
/// the entries of the recorders that ``transcribe(_:as:fileID:filePath:line:column:)`` creates.
///
/// ## Killed, and launched again
/// ``LifecycleStep/kill`` notifies no one: pending timers are dropped, tasks that sleep on the
/// clock receive a `CancellationError`, and open files are closed. The bus is kept until the end of
/// the test, so that none of its streams finishes. ``LifecycleStep/relaunch`` creates a new
/// ``bus``. The closure that is passed to the initializer builds the objects that a launch of the
/// program builds:
///
/// ```swift
/// var viewModel: ResendViewModel?
/// let lifecycle = ScriptedLifecycle { process in
///   viewModel = try ResendViewModel(journal: "state", on: process.bus, in: process.fileSystem)
/// }
/// lifecycle.perform(.launch, .becomeActive, .kill, .advance(by: .seconds(20)), .relaunch)
/// ```
///
/// The clock drops the timers of all processes: a process that is killed needs a clock that no
/// other process uses.
///
/// A script belongs to the test that creates it, and is used on the main actor, where its bus
/// delivers.
public final class ScriptedLifecycle {
  /// The clock of the device.
  public let clock: ManualClock
  /// The bus of the process that was launched last or, before the first launch, of the process to
  /// be launched.
  public var bus: LifecycleBus { process.bus }
  /// Returns ``bus``, on any thread; nil once the script is released.
  package var currentBus: @Sendable () -> LifecycleBus? { { [current] in current.bus } }
  /// The file system for the journals of the process that was launched last. When the process is
  /// killed, its files are closed, and later writes are ignored.
  public var fileSystem: JournalFileSystem { JournalFileSystem(process.fileSystem) }

  let failures = TestFailures()
  let context: TranscriptContext
  package let account = ScriptAccount()
  var log: TranscriptLog { account.log }
  private let current = CurrentBus()
  private let files: JournalFileSystem
  private let makeBus: (ManualClock) -> LifecycleBus
  private let onLaunch: (ScriptedLifecycle) throws -> Void
  var machine = ScriptMachine()
  private(set) var process: ScriptedProcess
  /// The replay of recordings; nil if there are only steps.
  var replaying: ScriptReplay?
  private var wasLaunched = false
  /// The killed processes, whose streams must not finish before the test does.
  private var killed: [ScriptedProcess] = []
  /// The closures that each hold a recorder and end its recording of the process.
  private var recorderEnds: [() -> Void] = []

  /// Creates a process that has not been launched.
  ///
  /// ```swift
  /// // The system does not let this process run, so that no timer fires.
  /// let lifecycle = ScriptedLifecycle(makeBus: { LifecycleBus(clock: TimerlessClock($0)) })
  /// ```
  ///
  /// - Parameters:
  ///   - clock: The clock of the device.
  ///   - fileSystem: The file system that stores the journals of the processes, which open them
  ///     through ``fileSystem``.
  ///   - onLaunch: Builds the objects that a launch of the program builds. Called on each
  ///     ``LifecycleStep/launch`` and ``LifecycleStep/relaunch``, before anything is sent on the
  ///     new bus, and on each ``LifecycleStep/launchBeforeFirstUnlock``, when the bus knows that
  ///     protected data is unavailable.
  ///   - makeBus: Returns a new bus, for the first process and for each that is launched after it.
  ///     Its clock is the given one, or one that is derived from it.
  @MainActor
  public convenience init(
    clock: ManualClock = ManualClock(),
    fileSystem: JournalFileSystem = .inMemory(InMemoryFileSystem()),
    onLaunch: @escaping (ScriptedLifecycle) throws -> Void = { _ in },
    makeBus: @escaping (ManualClock) -> LifecycleBus = { LifecycleBus(clock: $0) }
  ) {
    self.init(clock, fileSystem, replaying: nil, onLaunch, makeBus)
  }

  init(
    _ clock: ManualClock,
    _ files: JournalFileSystem,
    replaying: ScriptReplay?,
    _ onLaunch: @escaping (ScriptedLifecycle) throws -> Void,
    _ makeBus: @escaping (ManualClock) -> LifecycleBus
  ) {
    self.clock = clock
    self.replaying = replaying
    self.files = files
    self.makeBus = makeBus
    self.onLaunch = onLaunch
    let start = clock.elapsed
    context = TranscriptContext(
      elapsed: { clock.elapsed - start },
      phase: { [current] in current.phase }
    )
    process = ScriptedProcess(
      makeBus(clock),
      number: 1,
      files: files,
      context,
      account.log,
      isReplayed: replaying != nil
    )
    current.set(process.bus)
  }

  // MARK: Steps

  /// Performs the steps, one after another.
  ///
  /// An impossible step is reported at the caller's line and ends the script; so is an error that
  /// the launch closure throws.
  ///
  /// - Parameter steps: The steps to perform.
  public func perform(
    _ steps: LifecycleStep...,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let site = CallSite(fileID, filePath, line, column)
    perform(steps, site)
  }

  /// Performs the steps, one after another, as
  /// ``perform(_:fileID:filePath:line:column:)-kn11`` does.
  public func perform(
    _ steps: [LifecycleStep],
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let site = CallSite(fileID, filePath, line, column)
    perform(steps, site)
  }

  /// - Returns: Whether all steps were performed.
  @discardableResult
  func perform(_ steps: [LifecycleStep], _ site: CallSite) -> Bool {
    for step in steps {
      guard let actions = begin(step, site) else { return false }
      let kills = killed.count
      for action in actions {
        guard carryOut(action, of: step, afterKills: kills, site) else { return false }
      }
    }
    return true
  }

  /// Returns the actions of a step; nil if the step is impossible.
  private func begin(_ step: LifecycleStep, _ site: CallSite) -> [ScriptMachine.Action]? {
    failures.flush()
    // What the test itself has made due happens before the step.
    clock.advance(by: .zero)
    do throws(ImpossibleStep) {
      let actions = try machine.perform(step, in: bus.phase)
      log.append(.step(step))
      return actions
    } catch {
      failures.report(error.description, at: site)
      return nil
    }
  }

  private func carryOut(
    _ action: ScriptMachine.Action,
    of step: LifecycleStep,
    afterKills kills: Int,
    _ site: CallSite
  ) -> Bool {
    if case .send = action, killed.count > kills {
      failures.report(
        """
        The process was killed during the step \(step). Kill it between two steps instead. The \
        script ends here.
        """,
        at: site
      )
      return false
    }
    // A queue would also run what an observer has scheduled for now before the next event.
    defer { clock.advance(by: .zero) }
    switch action {
    case .launch(let isLocked): return launch(site, isLocked: isLocked)
    case .send(let kind): return send(kind, site)
    case .kill: return kill(site)
    case .pass(let duration, .running): clock.advance(by: duration)
    case .pass(let duration, .asleep): clock.sleepDevice(for: duration)
    case .pass(let duration, .stopped): clock.stopProcess(for: duration)
    case .pass(let duration, .off): clock.restartDevice(for: duration)
    case .setWallClock(let shift): clock.setWallClock(by: shift)
    }
    return true
  }

  func launch(_ site: CallSite, isLocked: Bool = false, isReplayed: Bool = false) -> Bool {
    if wasLaunched || (replaying != nil && !isReplayed) {
      process = ScriptedProcess(
        makeBus(clock),
        number: wasLaunched ? process.number + 1 : 1,
        files: files,
        context,
        log,
        isReplayed: isReplayed
      )
      current.set(process.bus)
    }
    wasLaunched = true
    // That of a replayed process begins later.
    if let recorder = process.recorder { account.add(recorder) }
    if isLocked {
      process.fileSystem.lock()
      guard send(.protectedDataWillBecomeUnavailable, site) else { return false }
    }
    do {
      try onLaunch(self)
      return true
    } catch {
      machine.launchDidFail()
      endProcess()
      failures.report(
        "The script ends here because the launch closure threw an error: \(error)",
        at: site
      )
      return false
    }
  }

  private func send(_ kind: LifecycleEvent.Kind, _ site: CallSite) -> Bool {
    guard process.send(kind) == .queued else { return true }
    failures.report(
      """
      The script can't wait until \(kind) is delivered: it runs inside an observer of its bus, or \
      not on the main actor. Perform it in the test function, on the main actor. The script ends \
      here.
      """,
      at: site
    )
    return false
  }

  func kill(_ site: CallSite) -> Bool {
    let isDelivering = bus.diagnostics.isDelivering
    endProcess()
    guard isDelivering else { return true }
    failures.report(
      """
      The script killed the process inside an observer of its bus, where the current delivery \
      can't be stopped. Perform the script in the test function. The script ends here.
      """,
      at: site
    )
    return false
  }

  private func endProcess() {
    // First, so that the effects of the other calls are not written.
    process.kill()
    killed.append(process)
    endRecordings()
    keep(clock.dropTimers())
  }

  // MARK: What belongs to a process

  /// The recordings of the processes that were launched, in order.
  ///
  /// A recording begins when the ``bus`` of its process is created, or where a replayed one begins,
  /// and ends with the kill. It has the latest 10,000 records.
  public var recordings: [FlightRecording] { account.recordings }

  /// Keeps an object as long as the process, as a program's global variables do. The objects of a
  /// killed process are kept until the end of the test: a kill releases nothing.
  ///
  /// - Parameter object: The object to keep, such as a journal.
  public func keep(_ object: Any) {
    process.kept.append(object)
  }

  /// Ends the recordings of the process.
  func endRecordings() {
    for end in recorderEnds { end() }
    recorderEnds = []
  }

  func makeCore<Element, Failure: Error>(
    _ name: String,
    _ site: CallSite
  ) -> RecorderCore<Element, Failure> {
    RecorderCore(name: name, context, log: log, failures, site)
  }

  func addRecording<Element, Failure: Error>(
    of recorder: LifecycleRecorder<Element, Failure>
  ) -> LifecycleRecorder<Element, Failure> {
    recorderEnds.append { recorder.cancel() }
    return recorder
  }
}

// In an asynchronous context, Swift chooses these methods.

extension ScriptedLifecycle {
  /// Performs the steps, one after another, and after each lets the tasks on the main actor run
  /// that it made ready.
  ///
  /// ```swift
  /// await lifecycle.perform(.launch, .becomeActive)
  /// #expect(feed.articles.count == 1)  // appended by a Task { … }
  /// ```
  ///
  /// When the method continues, a task on the main actor that the step started or resumed has run
  /// until it suspended again; so has a task that such a task made ready, in a chain of up to 100.
  /// That includes tasks that wait for elements of the bus or of a recorder, and for continuations
  /// that the step resumed.
  ///
  /// A step that lets time pass goes from deadline to deadline, and lets the tasks that it wakes
  /// run until they wait again: a loop that sleeps ten seconds on the ``clock`` runs three times in
  /// `advance(by: .seconds(30))`. <doc:TestingYourViewModel> lists what is guaranteed.
  ///
  /// It is not guaranteed of a task that has to leave the main actor otherwise: for another actor,
  /// a detached task, or a response from outside.
  ///
  /// - Parameter steps: The steps to perform. An impossible one is reported at the caller's line
  ///   and ends the script.
  @MainActor
  public func perform(
    _ steps: LifecycleStep...,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    let site = CallSite(fileID, filePath, line, column)
    await performSettling(steps, site)
  }

  /// Performs the steps, one after another, and lets tasks on the main actor run after each, as
  /// ``perform(_:fileID:filePath:line:column:)-56l11`` does.
  @MainActor
  public func perform(
    _ steps: [LifecycleStep],
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    let site = CallSite(fileID, filePath, line, column)
    await performSettling(steps, site)
  }

  @MainActor
  private func performSettling(_ steps: [LifecycleStep], _ site: CallSite) async {
    clock.core.forgetWoken(noting: true)
    defer { clock.core.forgetWoken(noting: false) }
    for step in steps {
      guard let actions = begin(step, site) else { return }
      let kills = killed.count
      for action in actions {
        if case .pass(let duration, .running) = action {
          await clock.advanceSettling(by: duration)
        } else {
          if case .pass = action { await clock.settle(visitingPool: true) }
          guard carryOut(action, of: step, afterKills: kills, site) else { return }
        }
      }
      await clock.settle()
    }
  }
}

/// The bus of the process that is running, for any thread.
private final class CurrentBus: Sendable {
  private let state = Locked<@Sendable () -> LifecycleBus?>({ nil })

  var bus: LifecycleBus? { state.withLock { $0 }() }
  var phase: LifecyclePhase { bus?.phase ?? .terminated }

  func set(_ bus: LifecycleBus) {
    state.exchange { [weak bus] in bus }
  }
}
