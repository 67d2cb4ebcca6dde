/// A closure that wants the values of a stream, and its end.
final class SinkRow: ObserverRow, @unchecked Sendable {
  private var body: ((LifecycleEvent) -> Void)?
  private var first: ((DeliveredState) -> Void)?
  private var completion: (() -> Void)?

  init(
    core: BusCore,
    kinds: KindFilter,
    site: CallSite,
    first: ((DeliveredState) -> Void)?,
    completion: (() -> Void)?,
    body: @escaping (LifecycleEvent) -> Void
  ) {
    self.first = first
    self.completion = completion
    self.body = body
    super.init(core: core, kinds: kinds, site: site)
  }

  override func receive(_ event: LifecycleEvent) { body?(event) }

  override var startsWithValue: Bool { first != nil }

  override func start(after delivered: DeliveredState, catchUp: LifecycleCatchUp) {
    super.start(after: delivered, catchUp: catchUp)
    first?(delivered)
  }

  override func finish() {
    guard isLive else { return }
    cancel()
    completion?()
  }

  override func clear() {
    _ = (body.take(), first.take(), completion.take())
  }
}
