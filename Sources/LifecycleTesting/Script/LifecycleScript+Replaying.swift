public import LifecycleFlightRecording
public import LifecycleJournaling
public import ReactiveLifecycle

extension LifecycleScript where Bus == LifecycleBus {
  /// Creates a process that lives the recorded life again, in virtual time, with a bus that
  /// delivers on the main actor.
  ///
  /// ``replay(until:fileID:filePath:line:column:)-1ef67`` sends what the recorded sources reported:
  /// under their names, in their roles, at the recorded instants of a clock that moves, sleeps and
  /// is set as the recorded ones. The ``transcript`` is then that of the recording.
  ///
  /// ```swift
  /// let lifecycle = ScriptedLifecycle(replaying: recording) { process in
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
  /// A recording does not contain the reason why the process ended without `willTerminate`: after
  /// its last record the process continues, and the test can kill it. Between two records, the
  /// device is awake first, then asleep, and then its clock is set.
  ///
  /// - Parameters:
  ///   - recording: The recording to replay. Each recorded input is sent, also those that the
  ///     program sent to its bus itself.
  ///   - style: The style of the values in the transcript.
  ///   - fileSystem: The file system that stores the journals of the processes.
  ///   - onLaunch: Builds the objects that a launch of the program builds.
  @MainActor
  public convenience init(
    replaying recording: FlightRecording,
    style: LifecycleTranscript.Style = .init(),
    fileSystem: JournalFileSystem = .inMemory(InMemoryFileSystem()),
    onLaunch: @escaping (LifecycleScript) throws -> Void = { _ in }
  ) {
    self.init(replaying: [recording], style: style, fileSystem: fileSystem, onLaunch: onLaunch)
  }

  /// Creates a process that lives the recorded runs again, one after another, as
  /// ``init(replaying:style:fileSystem:onLaunch:)-8qots`` does for one.
  ///
  /// A recording that continues the one before it, as in a file that was rotated, belongs to the
  /// same run. If records are missing that changed the state of the bus, that is reported, and the
  /// replay ends there. Before the next run, the process ends at its last record: if that is no
  /// `willTerminate`, it is killed. If the next run has another boot ID, the device is restarted
  /// between the two.
  @MainActor
  public convenience init(
    replaying recordings: [FlightRecording],
    style: LifecycleTranscript.Style = .init(),
    fileSystem: JournalFileSystem = .inMemory(InMemoryFileSystem()),
    onLaunch: @escaping (LifecycleScript) throws -> Void = { _ in }
  ) {
    self.init(
      ScriptReplay(recordings),
      style,
      files: fileSystem,
      makeBus: { LifecycleBus(clock: $0) },
      onLaunch: onLaunch
    )
  }
}

extension LifecycleScript where Bus == NonisolatedLifecycleBus {
  /// Creates a process that lives the recorded life again, in virtual time, with a bus that
  /// delivers on the thread of the test.
  ///
  /// See ``ScriptedLifecycle``'s initializer of the same name.
  ///
  /// - Parameters:
  ///   - recording: The recording to replay. Each recorded input is sent, also those that the
  ///     program sent to its bus itself.
  ///   - style: The style of the values in the transcript.
  ///   - fileSystem: The file system that stores the journals of the processes.
  ///   - onLaunch: Builds the objects that a launch of the program builds.
  public convenience init(
    replaying recording: FlightRecording,
    style: LifecycleTranscript.Style = .init(),
    fileSystem: JournalFileSystem = .inMemory(InMemoryFileSystem()),
    onLaunch: @escaping (LifecycleScript) throws -> Void = { _ in }
  ) {
    self.init(replaying: [recording], style: style, fileSystem: fileSystem, onLaunch: onLaunch)
  }

  /// Creates a process that lives the recorded runs again, one after another, with buses that
  /// deliver on the thread of the test.
  ///
  /// A recording that continues the one before it, as in a file that was rotated, belongs to the
  /// same run. If records are missing that changed the state of the bus, that is reported, and the
  /// replay ends there. Before the next run, the process ends at its last record: if that is no
  /// `willTerminate`, it is killed. If the next run has another boot ID, the device is restarted
  /// between the two.
  public convenience init(
    replaying recordings: [FlightRecording],
    style: LifecycleTranscript.Style = .init(),
    fileSystem: JournalFileSystem = .inMemory(InMemoryFileSystem()),
    onLaunch: @escaping (LifecycleScript) throws -> Void = { _ in }
  ) {
    self.init(
      ScriptReplay(recordings),
      style,
      files: fileSystem,
      makeBus: { NonisolatedLifecycleBus(clock: $0) },
      onLaunch: onLaunch
    )
  }
}

extension LifecycleScript {
  private convenience init(
    _ replay: ScriptReplay,
    _ style: LifecycleTranscript.Style,
    files: JournalFileSystem,
    makeBus: @escaping (ManualClock) -> Bus,
    onLaunch: @escaping (LifecycleScript) throws -> Void
  ) {
    let clock = replay.start.map { ManualClock($0.instant, bootID: replay.bootID) } ?? ManualClock()
    self.init(
      clock,
      style,
      files: files,
      replaying: replay,
      elapsed: { clock.elapsed },
      makeBus: { makeBus(clock) },
      onLaunch: onLaunch
    )
  }
}
