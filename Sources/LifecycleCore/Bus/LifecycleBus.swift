/// The lifecycle of the process as one ordered stream, delivered on the main actor.
///
/// Observers are `@MainActor` closures: view models need no annotation and no hop. If an input is
/// sent on the main actor, and not by an observer, it has reached every observer when `send`
/// returns. If it is sent from elsewhere, it follows in order. For programs whose main thread is
/// blocked, use ``NonisolatedLifecycleBus``.
///
/// ```swift
/// let bus = LifecycleBus()
/// let scope = LifecycleScope("screen")
/// bus.onReturn(in: scope) { stay in
///   print("away for \(stay.timeAway)")
/// }
/// bus.send(.didBecomeActive)
/// bus.send(.didEnterBackground)
/// bus.send(.didBecomeActive)
/// scope.end()
/// ```
///
/// Releasing the bus delivers the accepted inputs, then finishes its streams.
public final class LifecycleBus: LifecycleBusProtocol {
  public let core: LifecycleBusCore
  private let parent: LifecycleCancellable?
  /// The object that user interfaces share, once it is created. It lives as long as the bus.
  @MainActor var observable: ObservableLifecycle?

  /// Creates a bus whose phase is `unknown`.
  ///
  /// - Parameter clock: The source of the events' instants.
  public init(clock: any LifecycleClock = .system) {
    core = LifecycleBusCore(context: .mainActor, clock: clock)
    parent = nil
  }

  /// Creates a bus inside another one, such as a screen's bus inside the application's.
  ///
  /// Its phase follows the inputs that it receives, and is never further forward than its parent's:
  /// `active` means that the screen is shown and the application is in use. It starts in the
  /// background. A screen sends `didBecomeActive` in its `viewDidAppear` or `onAppear`, and
  /// `didEnterBackground` in its `viewDidDisappear` or `onDisappear`.
  ///
  /// ```swift
  /// let screen = LifecycleBus(parent: application)
  /// screen.send(.didBecomeActive)
  /// ```
  ///
  /// It uses its parent's clock, and ends with its parent. Neither keeps the other alive: the
  /// parent continues when the screen's bus is released.
  ///
  /// - Parameter parent: The application's bus, or another screen's.
  public init(
    parent: some LifecycleBusProtocol,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let core = LifecycleBusCore(context: .mainActor, clock: parent.core.clock)
    self.core = core
    _ = core.send(.didFinishLaunching, at: nil, metadata: [:])
    // The report of the parent may come later, if the parent is delivering just now or delivers
    // elsewhere. A new bus feeds no other bus, so this makes no cycle.
    self.parent = try? core.connect(
      .bus(parent, fileID: fileID, filePath: filePath, line: line, column: column),
      as: .ceiling,
      limit: .background
    )
  }

  deinit {
    core.release()
  }
}

extension LifecycleBus {
  /// Observes until the returned handle is cancelled or released.
  ///
  /// ```swift
  /// token = bus.addObserver(for: [.didEnterBackground, .willTerminate]) { _ in save() }
  /// ```
  ///
  /// The closure runs on the main actor. Thread-safe.
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
    using body: @escaping @MainActor (LifecycleEvent) -> Void
  ) -> LifecycleCancellable {
    let site = CallSite(fileID, filePath, line, column)
    return core.addObserver(kinds, catchUp: catchUp, site, onMainActor(body))
  }

  /// Observes until the scope ends.
  ///
  /// ```swift
  /// bus.addObserver(in: scope, id: "log") { event in print(event.kind) }
  /// ```
  ///
  /// The closure runs on the main actor. If the scope has ended, the observer is not added, and
  /// that is reported at the caller's line. Thread-safe.
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
    using body: @escaping @MainActor (LifecycleEvent) -> Void
  ) {
    let site = CallSite(fileID, filePath, line, column)
    let scope = (consume scope).core
    core.addObserver(kinds, in: scope, id: id, catchUp: catchUp, site, onMainActor(body))
  }

  /// Observes until the owner is released, without keeping the owner alive.
  ///
  /// ```swift
  /// bus.addObserver(self) { viewModel, event in viewModel.log(event) }
  /// ```
  ///
  /// The closure runs on the main actor. If the compiler objects to a "call to main actor-isolated
  /// instance method … in a synchronous nonisolated context", annotate the owner's class with
  /// `@MainActor`, or observe in a scope: `bus.addObserver(in: scope) { [weak self] event in … }`.
  ///
  /// - Parameters:
  ///   - owner: An object that is held weakly, and passed to the closure. After the owner's
  ///     release, the closure is released as other observers register, and no later than the next
  ///     event that it would receive.
  ///   - kinds: The kinds that the observer receives.
  ///   - id: Replaces the owner's observer on this bus that has an equal identifier.
  ///   - catchUp: The past events that the observer receives when it joins.
  ///   - body: Called with the owner and each event.
  @MainActor
  public func addObserver<Owner: AnyObject>(
    _ owner: Owner,
    for kinds: LifecycleEvent.Kinds = .all,
    id: (any Hashable & Sendable)? = nil,
    catchUp: LifecycleCatchUp = .nothing,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    using body: @escaping @MainActor (Owner, LifecycleEvent) -> Void
  ) {
    let site = CallSite(fileID, filePath, line, column)
    core.addObserver(owner, kinds, id: id, catchUp: catchUp, site, onMainActor(body))
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
  /// The closure runs on the main actor. If the scope has ended, the observer is not added, and
  /// that is reported at the caller's line. Thread-safe.
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
    using body: @escaping @MainActor (LifecycleOpening) -> Void
  ) {
    let site = CallSite(fileID, filePath, line, column)
    let scope = (consume scope).core
    let filter = OpeningFilter(minimum: duration, moment: moment, initial: initial)
    let body = onMainActor { (opening: LifecycleOpening, _) in body(opening) }
    core.addOpeningObserver(filter, in: scope, id: id, site, body)
  }

  /// Calls the closure once per opening, until the owner is released, without keeping the owner
  /// alive.
  ///
  /// ```swift
  /// bus.onOpen(self) { viewModel, opening in viewModel.load(at: opening.instant) }
  /// ```
  ///
  /// The closure runs on the main actor. See
  /// ``onOpen(after:at:in:id:initial:fileID:filePath:line:column:using:)`` for what an opening is,
  /// and ``addObserver(_:for:id:catchUp:fileID:filePath:line:column:using:)`` for owners.
  ///
  /// - Parameters:
  ///   - owner: An object that is held weakly, and passed to the closure.
  ///   - duration: The least time away. The observer's first opening is received whatever its time
  ///     is; with `initial: false`, the bus's first.
  ///   - moment: The moment at which the closure is called.
  ///   - id: Replaces the owner's observer on this bus that has an equal identifier.
  ///   - initial: Whether an observer that joins after the moment of the current opening receives
  ///     it at once. One that joins before that moment receives it then in any case.
  ///   - body: Called with the owner and the opening.
  @MainActor
  public func onOpen<Owner: AnyObject>(
    _ owner: Owner,
    after duration: Duration = .zero,
    at moment: LifecycleOpening.Moment = .visible,
    id: (any Hashable & Sendable)? = nil,
    initial: Bool = true,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    using body: @escaping @MainActor (Owner, LifecycleOpening) -> Void
  ) {
    let site = CallSite(fileID, filePath, line, column)
    let filter = OpeningFilter(minimum: duration, moment: moment, initial: initial)
    let body = onMainActor { [core] (owner: Owner, event: LifecycleEvent) in
      if let opening = core.opening(of: event, filter) { body(owner, opening) }
    }
    core.addObserver(owner, filter.kinds, id: id, catchUp: filter.catchUp, site, body)
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
  /// The closure runs on the main actor. If the scope has ended, the observer is not added, and
  /// that is reported at the caller's line. Thread-safe.
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
    using body: @escaping @MainActor (BackgroundStay) -> Void
  ) {
    let site = CallSite(fileID, filePath, line, column)
    let scope = (consume scope).core
    let filter = OpeningFilter(minimum: duration, moment: moment)
    let body = onMainActor { (opening: LifecycleOpening, _) in
      if let stay = opening.stay { body(stay) }
    }
    core.addOpeningObserver(filter, in: scope, id: id, site, body)
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
  /// Both closures run on the main actor. If the scope has ended, the observer is not added, and
  /// that is reported at the caller's line. Thread-safe.
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
  public func onReturn<Captured>(
    after duration: Duration = .zero,
    at moment: LifecycleOpening.Moment = .visible,
    in scope: consuming LifecycleScope,
    id: (any Hashable & Sendable)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    capturing capture: @escaping @MainActor () -> Captured,
    using body: @escaping @MainActor (BackgroundStay, Captured?) -> Void
  ) {
    let site = CallSite(fileID, filePath, line, column)
    let scope = (consume scope).core
    let filter = OpeningFilter(minimum: duration, moment: moment)
    let capture = onMainActor { capture() as Any }
    let body = onMainActor { (opening: LifecycleOpening, value: Any?) in
      if let stay = opening.stay { body(stay, value.map { $0 as! Captured }) }
    }
    core.addOpeningObserver(filter, in: scope, id: id, site, capturing: capture, body)
  }

  /// Calls the closure once per return to the foreground, until the owner is released, without
  /// keeping the owner alive.
  ///
  /// ```swift
  /// bus.onReturn(self) { viewModel, stay in viewModel.refresh(after: stay.timeAway) }
  /// ```
  ///
  /// The closure runs on the main actor. See
  /// ``onReturn(after:at:in:id:fileID:filePath:line:column:using:)`` for what a return is, and
  /// ``addObserver(_:for:id:catchUp:fileID:filePath:line:column:using:)`` for owners.
  ///
  /// - Parameters:
  ///   - owner: An object that is held weakly, and passed to the closure.
  ///   - duration: The least time away.
  ///   - moment: The moment at which the closure is called.
  ///   - id: Replaces the owner's observer on this bus that has an equal identifier.
  ///   - body: Called with the owner and the stay.
  @MainActor
  public func onReturn<Owner: AnyObject>(
    _ owner: Owner,
    after duration: Duration = .zero,
    at moment: LifecycleOpening.Moment = .visible,
    id: (any Hashable & Sendable)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    using body: @escaping @MainActor (Owner, BackgroundStay) -> Void
  ) {
    let site = CallSite(fileID, filePath, line, column)
    let filter = OpeningFilter(minimum: duration, moment: moment)
    let body = onMainActor { [core] (owner: Owner, event: LifecycleEvent) in
      if let stay = core.opening(of: event, filter)?.stay { body(owner, stay) }
    }
    core.addObserver(owner, filter.kinds, id: id, site, body)
  }

  /// Answers exit requests until the scope ends.
  ///
  /// ```swift
  /// bus.onExitRequest(in: scope) { _ in upload.isRunning ? .cancel : .exit }
  /// ```
  ///
  /// An exit request asks all observers whether the process may end, before `willTerminate`; see
  /// ``LifecycleBusProtocol/requestExit(timeout:metadata:)``. In a Mac app, the delegate makes one
  /// when the user quits, by `terminateReply(for:)`. The closure decides, and may ask the user. A
  /// process may also end without a request, so save in an observer of events.
  ///
  /// The closure runs on the main actor, and is never called twice at a time. If no sender waits
  /// for its answer any longer, or the scope ends, its task is cancelled. If the scope has ended,
  /// the observer is not added, and that is reported at the caller's line. Thread-safe.
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
    using body: @escaping @MainActor (LifecycleExitRequest) async -> LifecycleExitRequest.Response
  ) {
    let site = CallSite(fileID, filePath, line, column)
    let scope = (consume scope).core
    core.onExitRequest(in: scope, id: id, site, body)
  }
}

extension LifecycleBus: CustomDebugStringConvertible {
  /// The bus with its ``LifecycleBusProtocol/diagnostics`` in one line.
  public nonisolated var debugDescription: String { "LifecycleBus(\(core.diagnostics))" }
}
