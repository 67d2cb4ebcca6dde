/// A closure that receives events.
///
/// `@unchecked Sendable`: its mutable state is part of the row's contents; see `ObserverRow`.
final class ClosureRow: ObserverRow, @unchecked Sendable {
  private var body: ((LifecycleEvent) -> Void)?

  init(
    core: LifecycleBusCore,
    kinds: LifecycleEvent.Kinds,
    site: CallSite,
    identity: ObserverIdentity? = nil,
    body: @escaping @Sendable (LifecycleEvent) -> Void
  ) {
    self.body = body
    super.init(core: core, kinds: kinds, site: site, identity: identity)
  }

  override func receive(_ event: LifecycleEvent) {
    guard let body else { return }
    // Moved out of the row for the call, and back after it. No other code reads it meanwhile, and a
    // call in place would retain it once more, which takes longer than the call.
    self.body = nil
    body(event)
    self.body = body
  }

  override func clear() { _ = body.take() }
}

/// The openings that an observer receives, and the moment at which it does.
///
/// `@unchecked Sendable`: the lock of the bus guards `admitsAny`.
final class OpeningFilter: @unchecked Sendable {
  private let minimum: Duration
  let moment: LifecycleOpening.Moment
  /// The past events that the observer receives when it joins.
  let catchUp: LifecycleCatchUp
  /// A Boolean value that indicates whether the next opening is received whatever its time is.
  private var admitsAny: Bool

  init(minimum: Duration, moment: LifecycleOpening.Moment, initial: Bool = false) {
    self.minimum = minimum
    self.moment = moment
    catchUp = initial ? .path : .nothing
    admitsAny = initial
  }

  /// The kinds of the events at which the observer asks for the opening.
  var kinds: LifecycleEvent.Kinds {
    moment == .visible ? .willEnterForeground : [.willEnterForeground, .didBecomeActive]
  }

  /// Returns whether the observer receives an opening whose moment has come.
  func admits(_ opening: LifecycleOpening) -> Bool {
    defer { admitsAny = false }
    return admitsAny || opening.isFirst || opening.timeAway >= minimum
  }
}

/// A closure that receives openings, with what another one has captured before any observer
/// received `didEnterBackground`, the only event that the row prepares for.
///
/// Not generic over what is captured: a generic class takes more code than the cast.
///
/// `@unchecked Sendable`: its mutable state is part of the row's contents; see `ObserverRow`.
final class OpeningClosureRow: ObserverRow, @unchecked Sendable {
  private let filter: OpeningFilter
  private var capture: (() -> Any)?
  private var captured: Any?
  private var body: ((LifecycleOpening, Any?) -> Void)?

  init(
    core: LifecycleBusCore,
    _ filter: OpeningFilter,
    site: CallSite,
    identity: ObserverIdentity?,
    capture: (@Sendable () -> Any)?,
    body: @escaping @Sendable (LifecycleOpening, Any?) -> Void
  ) {
    self.filter = filter
    self.capture = capture
    self.body = body
    super.init(
      core: core,
      kinds: capture == nil ? filter.kinds : filter.kinds.union(.didEnterBackground),
      site: site,
      identity: identity,
      preparation: capture == nil ? .none : .wayDown
    )
  }

  override func prepare(for event: LifecycleEvent) {
    captured = capture?()
  }

  override func receive(_ event: LifecycleEvent) {
    if let opening = core.opening(of: event, filter) { body?(opening, captured.take()) }
  }

  override func clear() {
    _ = (capture.take(), captured.take(), body.take())
  }
}

// MARK: Closures that are called on the main actor

// Closures that are called once per opening or per call check the isolation. What they pass does
// not leave the main actor, so it need not be `Sendable`. Those that are called for each event are
// cast: see `UnsafeCode.swift`.

package func onMainActor<Result>(
  _ body: @escaping @MainActor () -> Result
) -> @Sendable () -> Result {
  { MainActor.assumeIsolated { UncheckedSendable(body()) }.value }
}

func onMainActor(
  _ body: @escaping @MainActor (LifecycleOpening, Any?) -> Void
) -> @Sendable (LifecycleOpening, Any?) -> Void {
  { opening, captured in
    let captured = UncheckedSendable(captured)
    MainActor.assumeIsolated { body(opening, captured.value) }
  }
}
