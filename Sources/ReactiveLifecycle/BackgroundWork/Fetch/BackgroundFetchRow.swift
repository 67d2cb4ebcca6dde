/// The place of a coordinator of fetches among the observers of its bus.
///
/// `@unchecked Sendable`: `fetches` is set before anybody else knows the row.
final class BackgroundFetchRow: ObserverRow, @unchecked Sendable {
  weak var fetches: BackgroundFetchCore?

  init(core: BusCore, site: CallSite) {
    super.init(core: core, kinds: KindFilter(some: [.systemDidWake, .willTerminate]), site: site)
  }

  /// It belongs to the coordinator, which is no subscription.
  override var isListed: Bool { false }

  override func receive(_ event: LifecycleEvent) {
    if event.kind == .systemDidWake { fetches?.systemDidWake() } else { fetches?.busDidEnd() }
  }

  override func timeCame(_ instant: Duration) {
    fetches?.publish()
  }

  override func finish() {
    fetches?.busDidEnd()
    super.finish()
  }
}

/// A subscriber of the reports of a coordinator, which tells it, not the bus.
final class BackgroundFetchReportRow: SubscriberRow<BackgroundFetchReport>, @unchecked Sendable {
  private var fetches: BackgroundFetchCore?

  init(
    _ fetches: BackgroundFetchCore,
    _ kinds: KindFilter,
    _ site: CallSite?,
    _ downstream: Downstream<BackgroundFetchReport>
  ) {
    self.fetches = fetches
    super.init(fetches.bus, kinds, site, downstream)
  }

  override var startsWithValue: Bool { true }

  override func start(after delivered: DeliveredState, catchUp: LifecycleCatchUp) {
    if let fetches, !fetches.join(self) { finish() }
  }

  override func clear() {
    fetches?.leave(self)
    fetches = nil
    super.clear()
  }

  func tell(_ report: BackgroundFetchReport) {
    if isLive { offer(report) }
  }
}
