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
struct OpeningFilter: Sendable {
  let core: LifecycleBusCore
  /// The least time away, save before the first opening.
  let minimum: Duration
  let moment: LifecycleOpening.Moment
  var initial = false

  /// The kinds of the events of which the observer asks for the opening.
  var kinds: LifecycleEvent.Kinds {
    moment == .visible ? .willEnterForeground : [.willEnterForeground, .didBecomeActive]
  }

  var catchUp: LifecycleCatchUp { initial ? .path : .nothing }

  /// Returns the opening that an observer receives at an event, if it does.
  func opening(of event: LifecycleEvent) -> LifecycleOpening? {
    guard let opening = core.opening(of: event, at: moment),
      opening.isFirst || opening.timeAway >= minimum
    else { return nil }
    return opening
  }
}

/// A closure that is called once per return to the foreground, with the value captured before any
/// observer received `didEnterBackground`, the only event that it prepares for.
///
/// `@unchecked Sendable`: its mutable state is part of the row's contents; see `ObserverRow`.
final class ReturnRow<Captured>: ObserverRow, @unchecked Sendable {
  private let filter: OpeningFilter
  private var capture: (() -> Captured)?
  private var captured: Captured?
  private var body: ((BackgroundStay, Captured?) -> Void)?

  init(
    _ filter: OpeningFilter,
    site: CallSite,
    identity: ObserverIdentity?,
    capture: @escaping @Sendable () -> Captured,
    body: @escaping @Sendable (BackgroundStay, Captured?) -> Void
  ) {
    self.filter = filter
    self.capture = capture
    self.body = body
    super.init(
      core: filter.core,
      kinds: filter.kinds.union(.didEnterBackground),
      site: site,
      identity: identity,
      preparation: .wayDown
    )
  }

  override func prepare(for event: LifecycleEvent) {
    captured = capture?()
  }

  override func receive(_ event: LifecycleEvent) {
    if let stay = filter.opening(of: event)?.stay { body?(stay, captured.take()) }
  }

  override func clear() {
    _ = (capture.take(), captured.take(), body.take())
  }
}

// MARK: Closures that are called on the main actor

// Closures that are called once per stay or per call check the isolation. What they
// pass does not leave the main actor, so it need not be `Sendable`. Those that are called for each
// event are cast: see `UnsafeCode.swift`.

package func onMainActor<Result>(
  _ body: @escaping @MainActor () -> Result
) -> @Sendable () -> Result {
  { MainActor.assumeIsolated { UncheckedSendable(body()) }.value }
}

func onMainActor<Captured>(
  _ body: @escaping @MainActor (BackgroundStay, Captured?) -> Void
) -> @Sendable (BackgroundStay, Captured?) -> Void {
  { stay, captured in
    let captured = UncheckedSendable(captured)
    MainActor.assumeIsolated { body(stay, captured.value) }
  }
}
