import LifecycleCore
public import LifecycleFlightRecording
public import LifecycleJournaling
import LifecycleSupport

extension ScriptedLifecycle {
  /// Creates a process that lives the recorded runs again, one after another, in virtual time.
  ///
  /// ``replay(until:fileID:filePath:line:column:)-8g83a`` sends what the recorded sources reported:
  /// under their names, in their roles, at the recorded instants of a clock that moves, sleeps and
  /// is set as the recorded ones. The ``transcript`` is then that of the recordings.
  ///
  /// ```swift
  /// let lifecycle = ScriptedLifecycle(replaying: [recording]) { process in
  ///   process.keep(RentalViewModel(seconds: 300, bus: process.bus))
  /// }
  /// lifecycle.replay()
  /// expectLifecycle(lifecycle, matches: "\(recording.transcript)")
  /// ```
  ///
  /// If a recording starts in the middle of a life, `onLaunch` receives a new bus, which then moves
  /// to the recorded phase; transcript and recording begin after that. Events at its beginning
  /// whose input the recorder had dropped are not replayed.
  ///
  /// A recording that continues the one before it, as in a file that was rotated, belongs to the
  /// same run. If records are missing that changed the state of the bus, that is reported, and the
  /// replay ends there. Before the next run, the process ends at its last record: if that is no
  /// `willTerminate`, it is killed. If the next run has another boot ID, the device is restarted
  /// between the two.
  ///
  /// A recording does not contain the reason why the process ended without `willTerminate`: after
  /// the last record of the last run the process continues, and the test can kill it. Between two
  /// records, the device is awake first, then asleep, and then its clock is set.
  ///
  /// - Parameters:
  ///   - recordings: The recordings to replay. Each recorded input is sent, also those that the
  ///     program sent to its bus itself.
  ///   - fileSystem: The file system that stores the journals of the processes.
  ///   - onLaunch: Builds the objects that a launch of the program builds.
  @MainActor
  public convenience init(
    replaying recordings: [FlightRecording],
    fileSystem: JournalFileSystem = .inMemory(InMemoryFileSystem()),
    onLaunch: @escaping (ScriptedLifecycle) throws -> Void = { _ in }
  ) {
    let replay = ScriptReplay(recordings)
    let clock = replay.start.map { ManualClock($0.instant, bootID: replay.bootID) } ?? ManualClock()
    self.init(clock, fileSystem, replaying: replay, onLaunch) { LifecycleBus(clock: $0) }
  }

  /// Replays the recordings to their end, or until a time, so that the test can look at the program
  /// there.
  ///
  /// When this method returns, the events of each recorded input have reached every observer, and
  /// all work that was due has run. After the end, the process of the last recording continues: the
  /// test can perform steps, such as ``LifecycleStep/kill``. Has no effect if everything has been
  /// replayed.
  ///
  /// If the bus does not deliver what it delivered when it was recorded, the first difference is
  /// reported at the caller's line, and the replay continues.
  ///
  /// ```swift
  /// let lifecycle = ScriptedLifecycle(replaying: [recording]) { process in
  ///   process.keep(RentalViewModel(seconds: 300, bus: process.bus))
  /// }
  /// lifecycle.replay()
  /// ```
  ///
  /// - Parameter time: The time since the start of the first recording, as transcripts write it;
  ///   nil for the end of the last one. If it has passed, nothing is replayed. If it comes after
  ///   the last record, the clock advances to it. If it falls between the last record of a run and
  ///   a restart of the device, the replay ends after the restart.
  public func replay(
    until time: Duration? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let site = CallSite(fileID, filePath, line, column)
    while replayNext(until: time, site) {}
  }

  /// Replays the recordings to their end, or until a time, and after each record lets the tasks on
  /// the main actor run that it made ready.
  ///
  /// - Parameter time: The time since the start of the first recording; nil for the end of the last
  ///   one.
  @MainActor
  public func replay(
    until time: Duration? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    let site = CallSite(fileID, filePath, line, column)
    while true {
      let callCount = clock.core.callCount
      let isCause = replaying?.next?.isCause ?? false
      guard replayNext(until: time, site) else { break }
      // The other records are effects, after whose cause the tasks have settled.
      if isCause || clock.core.callCount != callCount { await clock.settle() }
    }
    await clock.settle()
  }

  /// Carries out the next action of the replay.
  ///
  /// - Returns: Whether the replay continues.
  func replayNext(until end: Duration?, _ site: CallSite) -> Bool {
    failures.flush()
    guard replaying != nil else {
      failures.report(
        "There is nothing to replay. Create the lifecycle with init(replaying:).",
        at: site
      )
      return false
    }
    guard let action = replaying?.next else {
      checkReplay(site)
      if let end { clock.advance(by: max(end - clock.elapsed, .zero)) }
      return false
    }
    if let end, !passTime(before: action, atMost: end - clock.elapsed) {
      checkReplay(site)
      return false
    }
    switch action {
    case .kill, .stop: checkReplay(site)
    case .launch, .perform, .pass: break
    }
    replaying?.advance()
    return carryOut(action, site)
  }

  /// Lets the time pass until an action, or as much of it as there is.
  ///
  /// - Returns: Whether the action is due.
  private func passTime(before action: ScriptReplay.Action, atMost limit: Duration) -> Bool {
    guard limit >= .zero else { return false }
    // At the instant of the last record, the process is still there.
    guard let due = action.due else { return action != .kill || limit > .zero }
    if clock.now.continuous.duration(to: due.continuous) <= limit { return true }
    clock.follow(to: due, atMost: limit)
    return false
  }

  private func carryOut(_ action: ScriptReplay.Action, _ site: CallSite) -> Bool {
    switch action {
    case .launch: return launchReplayed(site)
    case .stop(let gap): failures.report(gap.description, at: site)
    case .perform(let step):
      clock.follow(to: step.instant)
      return perform(step, site)
    // Also after `willTerminate`: a process that has ended does nothing more.
    case .kill: return kill(site)
    case .pass(let next, let isRestarted):
      if isRestarted { clock.restartDevice(to: next) } else { clock.follow(to: next) }
    }
    return true
  }

  private func launchReplayed(_ site: CallSite) -> Bool {
    guard let replaying else { return false }
    guard launch(site, isReplayed: true) else { return false }
    machine.replayDidLaunch()
    for step in replaying.openingSteps {
      guard perform(step, site) else { return false }
    }
    account.add(process.begin())
    guard bus.phase != replaying.phaseAtStart else { return true }
    failures.report(
      """
      The replay starts in the phase \(bus.phase), but the recording in \(replaying.phaseAtStart): \
      the phases of the recorded sources do not explain it.
      """,
      at: site
    )
    return true
  }

  private func perform(_ step: ReplayStep, _ site: CallSite) -> Bool {
    guard process.replayed.perform(step) == .queued else {
      clock.advance(by: .zero)
      return true
    }
    failures.report(
      """
      The replay can't wait until an input is delivered: it runs inside an observer of its bus, or \
      not on the main actor. Replay in the test function, on the main actor. The replay ends here.
      """,
      at: site
    )
    return false
  }

  private func checkReplay(_ site: CallSite) {
    let difference = replaying?.takeDifference(
      from: process.deliveries.transcript.lines,
      launchedAt: process.beginning
    )
    if let difference { failures.report(difference.description, at: site) }
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
