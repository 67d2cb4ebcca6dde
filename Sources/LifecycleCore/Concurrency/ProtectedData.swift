extension LifecycleBusProtocol {
  /// A Boolean value that indicates whether the files and keychain items that the system protects
  /// while the device is locked are available, as far as the sources report; otherwise true.
  /// Thread-safe.
  ///
  /// On iOS it is false while the device is locked with a passcode, and before the first unlock
  /// after a restart. It changes with the notices
  /// ``LifecycleEvent/Kind/protectedDataWillBecomeUnavailable`` and
  /// ``LifecycleEvent/Kind/protectedDataDidBecomeAvailable``, whose observers find the new value. A
  /// child bus follows its parent. The last notice counts, whichever source sent it, and whether or
  /// not that source is still connected.
  ///
  /// False does not mean that a file can't be read: files of the default class stay readable while
  /// the device is locked, once it has been unlocked
  /// ([`isProtectedDataAvailable`](https://developer.apple.com/documentation/uikit/uiapplication/isprotecteddataavailable)).
  /// Read first, and wait if that fails:
  ///
  /// ```swift
  /// while true {
  ///   do {
  ///     return try readSettings()
  ///   } catch {
  ///     if bus.isProtectedDataAvailable { throw error }
  ///     try await bus.waitForProtectedData()
  ///   }
  /// }
  /// ```
  public var isProtectedDataAvailable: Bool { core.delivered.isProtectedDataAvailable }

  /// Waits until ``isProtectedDataAvailable`` is true.
  ///
  /// If it is true already, the call returns at once, without giving up the thread. Otherwise the
  /// caller continues in a later turn of its executor, when the device may have been locked again.
  /// Thread-safe. The bus is not kept alive.
  ///
  /// - Throws: `CancellationError` if the task is cancelled before or while it waits;
  ///   ``LifecycleBusEndedError`` if the bus ends first, or has ended with protected data
  ///   unavailable.
  public nonisolated(nonsending) consuming func waitForProtectedData(
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async throws {
    let core = (consume self).core
    try await core.waitForProtectedData(CallSite(fileID, filePath, line, column))
  }
}

extension LifecycleBusCore {
  /// - Parameter isolation: The caller's actor, as in `waitUntil`.
  fileprivate func waitForProtectedData(
    isolation: isolated (any Actor)? = #isolation,
    _ site: CallSite
  ) async throws {
    try Task.checkCancellation()
    if delivered.isProtectedDataAvailable { return }
    let arrivals = LifecyclePublisher(
      core: self,
      stream: .events(.protectedDataDidBecomeAvailable)
    ).listener(site)
    // The notice may have been delivered before the listener was registered.
    if delivered.isProtectedDataAvailable { return }
    if await arrivals.next(isolation: isolation) != nil { return }
    try Task.checkCancellation()
    throw LifecycleBusEndedError("protected data was available")
  }
}
