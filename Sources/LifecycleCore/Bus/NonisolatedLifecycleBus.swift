import Dispatch

/// The lifecycle of the process as one ordered stream, delivered on the thread that sends.
///
/// The bus makes one delivery at a time, never two at once: an input that is sent from another
/// thread meanwhile is delivered by the thread that is delivering. Observers are `@Sendable`
/// closures, in a scope or with a handle. For view models, and for observers that an object owns,
/// use ``LifecycleBus``.
///
/// ```swift
/// let bus = NonisolatedLifecycleBus()
/// bus.addObserver(for: .willTerminate, in: scope) { _ in flush() }
/// ```
public final class NonisolatedLifecycleBus: LifecycleBusProtocol {
  public let core: LifecycleBusCore

  /// Creates a bus whose phase is `unknown`.
  ///
  /// - Parameter clock: The source of the events' instants.
  public init(clock: any LifecycleClock = .system) {
    let queue = DispatchQueue(label: "reactive-lifecycle.delivery")
    core = LifecycleBusCore(context: .sendingThread(queue), clock: clock)
  }

  deinit {
    core.release()
  }
}

extension NonisolatedLifecycleBus {
  /// Observes until the returned handle is cancelled or released.
  ///
  /// ```swift
  /// token = bus.addObserver(for: [.didEnterBackground, .willTerminate]) { _ in save() }
  /// ```
  ///
  /// The closure runs on the thread that sends the event. Thread-safe.
  ///
  /// - Parameters:
  ///   - kinds: The kinds that the observer receives.
  ///   - catchUp: The past events that the observer receives when it joins.
  ///   - body: Called with each event.
  /// - Returns: A handle that cancels when it is released.
  /// - Complexity: O(1) amortized, like every registration.
  public func addObserver(
    for kinds: LifecycleEvent.Kinds = .all,
    catchUp: LifecycleCatchUp = .nothing,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    using body: @escaping @Sendable (LifecycleEvent) -> Void
  ) -> LifecycleCancellable {
    let site = CallSite(fileID, filePath, line, column)
    return core.addObserver(kinds, catchUp: catchUp, site, body)
  }

  /// Observes until the scope ends.
  ///
  /// ```swift
  /// bus.addObserver(in: scope, id: "log") { event in print(event.kind) }
  /// ```
  ///
  /// The closure runs on the thread that sends the event. If the scope has ended, the observer is
  /// not added, and that is reported at the caller's line. Thread-safe.
  ///
  /// - Parameters:
  ///   - kinds: The kinds that the observer receives.
  ///   - scope: The scope that holds the observer.
  ///   - id: Replaces the scope's observer on this bus that has an equal identifier.
  ///   - catchUp: The past events that the observer receives when it joins.
  ///   - body: Called with each event.
  public func addObserver(
    for kinds: LifecycleEvent.Kinds = .all,
    in scope: consuming LifecycleScope,
    id: (any Hashable & Sendable)? = nil,
    catchUp: LifecycleCatchUp = .nothing,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    using body: @escaping @Sendable (LifecycleEvent) -> Void
  ) {
    let site = CallSite(fileID, filePath, line, column)
    let scope = (consume scope).core
    core.addObserver(kinds, in: scope, id: id, catchUp: catchUp, site, body)
  }

  /// Calls the closure once per opening, the first one included, until the scope ends.
  ///
  /// ```swift
  /// let clock = bus.clock
  /// bus.onOpen(in: scope) { _ in
  ///   if news.age(at: clock.now) >= .seconds(60) { refresh() }
  /// }
  /// ```
  ///
  /// An opening is a `willEnterForeground`. Unlike a return, it needs no stay before it: the first
  /// one may follow the launch at once, or hours later if the system launched the process in the
  /// background. Becoming inactive, and active again, is no opening. An observer that joins in the
  /// foreground receives the current opening at once, unless it passes `initial: false`.
  ///
  /// The closure runs on the thread that sends the event. If the scope has ended, the observer is
  /// not added, and that is reported at the caller's line. Thread-safe.
  ///
  /// - Parameters:
  ///   - duration: The least time away. The observer's first opening is received whatever its time
  ///     is; with `initial: false`, the bus's first.
  ///   - moment: The moment at which the closure is called.
  ///   - scope: The scope that holds the observer.
  ///   - id: Replaces the scope's observer on this bus that has an equal identifier.
  ///   - initial: Whether an observer that joins after the moment of the current opening receives
  ///     it at once. One that joins before that moment receives it then in any case.
  ///   - body: Called with the opening.
  public func onOpen(
    after duration: Duration = .zero,
    at moment: LifecycleOpening.Moment = .visible,
    in scope: consuming LifecycleScope,
    id: (any Hashable & Sendable)? = nil,
    initial: Bool = true,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    using body: @escaping @Sendable (LifecycleOpening) -> Void
  ) {
    let site = CallSite(fileID, filePath, line, column)
    let scope = (consume scope).core
    let filter = OpeningFilter(minimum: duration, moment: moment, initial: initial)
    core.addOpeningObserver(filter, in: scope, id: id, site) { opening, _ in body(opening) }
  }

  /// Calls the closure once per return to the foreground, until the scope ends.
  ///
  /// ```swift
  /// bus.onReturn(in: scope) { stay in refresh(after: stay.timeAway) }
  /// ```
  ///
  /// A return is a `willEnterForeground` after a `didEnterBackground`: it carries the stay as
  /// ``LifecycleEvent/backgroundStay``. The first `willEnterForeground` after launch is not a
  /// return.
  ///
  /// The closure runs on the thread that sends the event. If the scope has ended, the observer is
  /// not added, and that is reported at the caller's line. Thread-safe.
  ///
  /// - Parameters:
  ///   - duration: The least time away.
  ///   - moment: The moment at which the closure is called.
  ///   - scope: The scope that holds the observer.
  ///   - id: Replaces the scope's observer on this bus that has an equal identifier.
  ///   - body: Called with the stay.
  public func onReturn(
    after duration: Duration = .zero,
    at moment: LifecycleOpening.Moment = .visible,
    in scope: consuming LifecycleScope,
    id: (any Hashable & Sendable)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    using body: @escaping @Sendable (BackgroundStay) -> Void
  ) {
    let site = CallSite(fileID, filePath, line, column)
    let scope = (consume scope).core
    let filter = OpeningFilter(minimum: duration, moment: moment)
    core.addOpeningObserver(filter, in: scope, id: id, site) { opening, _ in
      if let stay = opening.stay { body(stay) }
    }
  }

  /// Captures a value on the way to the background, and calls the closure with it once per return
  /// to the foreground, until the scope ends.
  ///
  /// ```swift
  /// bus.onReturn(in: scope, capturing: { player.position }) { stay, position in
  ///   player.resume(at: position)
  /// }
  /// ```
  ///
  /// The value is captured before any observer receives `didEnterBackground`, so that an observer
  /// that pauses the player may be registered before or after this one.
  ///
  /// Both closures run on the thread that sends the event. If the scope has ended, the observer is
  /// not added, and that is reported at the caller's line. Thread-safe.
  ///
  /// - Parameters:
  ///   - duration: The least time away.
  ///   - moment: The moment at which the closure is called.
  ///   - scope: The scope that holds the observer.
  ///   - id: Replaces the scope's observer on this bus that has an equal identifier.
  ///   - capture: Called before any observer of `didEnterBackground`. Several are called in order
  ///     of registration.
  ///   - body: Called with the stay and the captured value, which is nil if the observer joined
  ///     after that.
  public func onReturn<Captured: Sendable>(
    after duration: Duration = .zero,
    at moment: LifecycleOpening.Moment = .visible,
    in scope: consuming LifecycleScope,
    id: (any Hashable & Sendable)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    capturing capture: @escaping @Sendable () -> Captured,
    using body: @escaping @Sendable (BackgroundStay, Captured?) -> Void
  ) {
    let site = CallSite(fileID, filePath, line, column)
    let scope = (consume scope).core
    let filter = OpeningFilter(minimum: duration, moment: moment)
    core.addOpeningObserver(filter, in: scope, id: id, site, capturing: capture) { opening, value in
      if let stay = opening.stay { body(stay, value.map { $0 as! Captured }) }
    }
  }

  /// Answers exit requests until the scope ends.
  ///
  /// ```swift
  /// bus.onExitRequest(in: scope) { _ in upload.isRunning ? .cancel : .exit }
  /// ```
  ///
  /// An exit request asks all observers whether the process may end, before `willTerminate`; see
  /// ``LifecycleBusProtocol/requestExit(timeout:metadata:)``. The closure decides, and may ask the
  /// user. A process may also end without a request, so save in an observer of events.
  ///
  /// The closure runs on the concurrent executor, and is never called twice at a time. If no sender
  /// waits for its answer any longer, or the scope ends, its task is cancelled. If the scope has
  /// ended, the observer is not added, and that is reported at the caller's line. Thread-safe.
  ///
  /// - Parameters:
  ///   - scope: The scope that holds the observer.
  ///   - id: Replaces the scope's observer on this bus that has an equal identifier.
  ///   - body: Called with each request; requests at the same time share a call. Returns the
  ///     observer's answer.
  public func onExitRequest(
    in scope: consuming LifecycleScope,
    id: (any Hashable & Sendable)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    using body: @escaping @Sendable (LifecycleExitRequest) async -> LifecycleExitRequest.Response
  ) {
    let site = CallSite(fileID, filePath, line, column)
    let scope = (consume scope).core
    core.onExitRequest(in: scope, id: id, site, body)
  }
}

extension NonisolatedLifecycleBus: CustomDebugStringConvertible {
  /// The bus with its ``LifecycleBusProtocol/diagnostics`` in one line.
  public var debugDescription: String { "NonisolatedLifecycleBus(\(core.diagnostics))" }
}
