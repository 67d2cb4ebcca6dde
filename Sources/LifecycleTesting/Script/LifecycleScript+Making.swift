public import LifecycleJournaling
public import ReactiveLifecycle

extension LifecycleScript where Bus == LifecycleBus {
  /// A process that was not launched yet, with a bus that delivers on the main actor.
  ///
  /// - Parameters:
  ///   - clock: The clock of the device.
  ///   - style: How values are written in the transcript.
  ///   - fileSystem: The file system of the journals of its processes. They use ``fileSystem``.
  ///   - onLaunch: Builds what a launch of the program builds: called at each ``LifecycleStep/launch`` and
  ///     ``LifecycleStep/relaunch``, before anything is sent on the new bus.
  @MainActor
  public convenience init(
    clock: ManualClock = ManualClock(),
    style: LifecycleTranscript.Style = .init(),
    fileSystem: JournalFileSystem = .inMemory(InMemoryFileSystem()),
    onLaunch: @escaping (LifecycleScript) throws -> Void = { _ in }
  ) {
    self.init(
      clock,
      style,
      files: fileSystem,
      elapsed: { clock.elapsed },
      makeBus: { LifecycleBus(clock: clock) },
      onLaunch: onLaunch
    )
  }
}

extension LifecycleScript where Bus == NonisolatedLifecycleBus {
  /// A process that was not launched yet, with a bus that delivers on the thread of the test.
  ///
  /// - Parameters:
  ///   - clock: The clock of the device.
  ///   - style: How values are written in the transcript.
  ///   - fileSystem: The file system of the journals of its processes. They use ``fileSystem``.
  ///   - onLaunch: Builds what a launch of the program builds: called at each ``LifecycleStep/launch`` and
  ///     ``LifecycleStep/relaunch``, before anything is sent on the new bus.
  public convenience init(
    clock: ManualClock = ManualClock(),
    style: LifecycleTranscript.Style = .init(),
    fileSystem: JournalFileSystem = .inMemory(InMemoryFileSystem()),
    onLaunch: @escaping (LifecycleScript) throws -> Void = { _ in }
  ) {
    self.init(
      clock,
      style,
      files: fileSystem,
      elapsed: { clock.elapsed },
      makeBus: { NonisolatedLifecycleBus(clock: clock) },
      onLaunch: onLaunch
    )
  }
}

extension LifecycleScript {
  /// A process that was not launched yet, with a bus that the test makes.
  ///
  /// ```swift
  /// // The system does not let this process run, so that no timer fires.
  /// let lifecycle = ScriptedLifecycle(makeBus: { LifecycleBus(clock: TimerlessClock($0)) })
  /// ```
  ///
  /// - Parameters:
  ///   - clock: The clock of the device.
  ///   - style: How values are written in the transcript.
  ///   - fileSystem: The file system of the journals of its processes. They use ``fileSystem``.
  ///   - makeBus: Returns a new bus, of the first process and at each ``LifecycleStep/relaunch``. Its clock
  ///     is the given one, or another one that goes by it.
  ///   - onLaunch: Builds what a launch of the program builds: called at each ``LifecycleStep/launch`` and
  ///     ``LifecycleStep/relaunch``, before anything is sent on the new bus.
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
