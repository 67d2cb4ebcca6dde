/// A source that feeds a bus: the process's signals, a notification center, a test.
///
/// ```swift
/// struct RemoteControl: LifecycleSource {
///   let name: LifecycleSourceName = "remoteControl"
///   let device: Device
///
///   func start(_ feed: LifecycleFeed) throws -> @Sendable () -> Void {
///     try device.open { button in
///       if button == .home { feed.send(.didEnterBackground) }
///     }
///     return { device.close() }
///   }
/// }
/// ```
public protocol LifecycleSource: Sendable {
  /// The name under which the source reports.
  var name: LifecycleSourceName { get }

  /// Starts feeding, and reports the phase that the source finds. Called once per connection, on
  /// the connecting thread.
  ///
  /// - Parameter feed: The entry point through which the source sends to the bus.
  /// - Returns: A closure that stops feeding. Called once, on the thread that cancels the
  ///   connection.
  /// - Throws: An error that explains why the source cannot start, and what to do about it. The bus
  ///   continues.
  func start(_ feed: LifecycleFeed) throws -> @Sendable () -> Void
}

extension LifecycleBusProtocol {
  /// Connects a source.
  ///
  /// If this method is called where the bus delivers, the phase that the source finds has been
  /// reported before the method returns. Any number of sources can be connected, at any time, also
  /// from inside an observer.
  ///
  /// ```swift
  /// let connection = try bus.connect(session, as: .ceiling)
  /// ```
  ///
  /// - Parameters:
  ///   - source: The source to connect.
  ///   - role: The effect of the source's reports on the phase.
  /// - Returns: The connection. Cancelling or releasing it detaches the source and withdraws the
  ///   source's reports: the bus moves to the phase that follows from the other sources. Anything
  ///   that the source sends after that is suppressed as `disconnected`. A delivery that is under
  ///   way continues.
  /// - Throws: The error that the source throws if it cannot start.
  public func connect(
    _ source: any LifecycleSource,
    as role: LifecycleRole = .participant(.application)
  ) throws -> LifecycleCancellable {
    try core.connect(source, as: role)
  }

  /// Connects a source until a scope ends.
  ///
  /// Like ``connect(_:as:)``, with the connection stored in the scope. If the scope has ended, the
  /// source is not started, and this is reported at the caller's line. If the scope ends at what
  /// the source reports as it starts, the source is disconnected at once.
  ///
  /// ```swift
  /// try bus.connect(session, as: .ceiling, in: scope)
  /// ```
  ///
  /// - Parameters:
  ///   - source: The source to connect.
  ///   - role: The effect of the source's reports on the phase.
  ///   - scope: The scope whose end disconnects the source.
  /// - Throws: The error that the source throws if it cannot start.
  public func connect(
    _ source: any LifecycleSource,
    as role: LifecycleRole = .participant(.application),
    in scope: consuming LifecycleScope,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) throws {
    let site = CallSite(fileID, filePath, line, column)
    let scope = (consume scope).core
    guard !scope.isEnded else { return scope.reportEnd(site) }
    let connection = try core.connect(source, as: role)
    scope.admit { _ in EndAction { connection.cancel() } }
  }
}

extension LifecycleBusCore {
  /// Connects a source.
  ///
  /// - Parameter limit: The furthest phase that a ceiling allows a new bus before its first
  ///   transition.
  func connect(
    _ source: any LifecycleSource,
    as role: LifecycleRole,
    limit: LifecyclePhase = .unknown
  ) throws -> LifecycleCancellable {
    let feed = LifecycleFeed(.init(name: source.name, role: role, limit: limit), to: self)
    do {
      let stop = try source.start(feed)
      return LifecycleCancellable {
        feed.disconnect()
        stop()
      }
    } catch {
      feed.disconnect()
      throw error
    }
  }
}
