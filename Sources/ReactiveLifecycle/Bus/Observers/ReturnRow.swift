/// A closure that is called once per return to the foreground, with the value captured before any
/// observer received `didEnterBackground`.
///
/// `@unchecked Sendable`: its mutable state is part of the row's contents; see `ObserverRow`.
final class ReturnRow<Captured>: ObserverRow, @unchecked Sendable {
  private var capture: (() -> Captured)?
  private var captured: Captured?
  private var body: ((BackgroundStay, Captured?) -> Void)?

  init(
    core: LifecycleBusCore,
    site: CallSite,
    identity: ObserverIdentity?,
    capture: @escaping @Sendable () -> Captured,
    body: @escaping @Sendable (BackgroundStay, Captured?) -> Void
  ) {
    self.capture = capture
    self.body = body
    super.init(
      core: core,
      kinds: [.didEnterBackground, .willEnterForeground],
      site: site,
      identity: identity
    )
  }

  override var captures: Bool { true }

  override func captureValue() {
    captured = capture?()
  }

  override func receive(_ event: LifecycleEvent) {
    if let stay = event.backgroundStay { body?(stay, captured.take()) }
  }

  override func clear() {
    _ = (capture.take(), captured.take(), body.take())
  }
}
