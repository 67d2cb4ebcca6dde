public import LifecycleJournaling
public import ReactiveLifecycle

extension LifecycleScript where Bus == LifecycleBus {
  /// Creates a process that has not been launched, with a bus that delivers on the main actor.
  ///
  /// - Parameters:
  ///   - clock: The clock of the device.
  ///   - style: The style of the values in the transcript.
  ///   - fileSystem: The file system that stores the journals of the processes, which open them
  ///     through ``fileSystem``.
  ///   - onLaunch: Builds the objects that a launch of the program builds. Called on each
  ///     ``LifecycleStep/launch`` and ``LifecycleStep/relaunch``, before anything is sent on the
  ///     new bus.
  @MainActor
  public convenience init(
    clock: ManualClock = ManualClock(),
    style: LifecycleTranscript.Style = .init(),
    fileSystem: JournalFileSystem = .inMemory(InMemoryFileSystem()),
    onLaunch: @escaping (LifecycleScript) throws -> Void = { _ in }
  ) {
    self.init(
      clock: clock,
      style: style,
      fileSystem: fileSystem,
      makeBus: { LifecycleBus(clock: $0) },
      onLaunch: onLaunch
    )
  }
}

extension LifecycleScript where Bus == NonisolatedLifecycleBus {
  /// Creates a process that has not been launched, with a bus that delivers on the thread of the
  /// test.
  ///
  /// - Parameters:
  ///   - clock: The clock of the device.
  ///   - style: The style of the values in the transcript.
  ///   - fileSystem: The file system that stores the journals of the processes, which open them
  ///     through ``fileSystem``.
  ///   - onLaunch: Builds the objects that a launch of the program builds. Called on each
  ///     ``LifecycleStep/launch`` and ``LifecycleStep/relaunch``, before anything is sent on the
  ///     new bus.
  public convenience init(
    clock: ManualClock = ManualClock(),
    style: LifecycleTranscript.Style = .init(),
    fileSystem: JournalFileSystem = .inMemory(InMemoryFileSystem()),
    onLaunch: @escaping (LifecycleScript) throws -> Void = { _ in }
  ) {
    self.init(
      clock: clock,
      style: style,
      fileSystem: fileSystem,
      makeBus: { NonisolatedLifecycleBus(clock: $0) },
      onLaunch: onLaunch
    )
  }
}

extension LifecycleScript {
  /// Creates a process that has not been launched, with a bus that the test creates.
  ///
  /// ```swift
  /// // The system does not let this process run, so that no timer fires.
  /// let lifecycle = ScriptedLifecycle(makeBus: { LifecycleBus(clock: TimerlessClock($0)) })
  /// ```
  ///
  /// - Parameters:
  ///   - clock: The clock of the device.
  ///   - style: The style of the values in the transcript.
  ///   - fileSystem: The file system that stores the journals of the processes, which open them
  ///     through ``fileSystem``.
  ///   - makeBus: Returns a new bus, for the first process and for each that is launched after it.
  ///     Its clock is the given one, or one that is derived from it.
  ///   - onLaunch: Builds the objects that a launch of the program builds. Called on each
  ///     ``LifecycleStep/launch`` and ``LifecycleStep/relaunch``, before anything is sent on the
  ///     new bus.
  public convenience init(
    clock: ManualClock = ManualClock(),
    style: LifecycleTranscript.Style = .init(),
    fileSystem: JournalFileSystem = .inMemory(InMemoryFileSystem()),
    makeBus: @escaping (ManualClock) -> Bus,
    onLaunch: @escaping (LifecycleScript) throws -> Void = { _ in }
  ) {
    self.init(
      clock,
      style,
      files: fileSystem,
      elapsed: { clock.elapsed },
      makeBus: { makeBus(clock) },
      onLaunch: onLaunch
    )
  }
}
