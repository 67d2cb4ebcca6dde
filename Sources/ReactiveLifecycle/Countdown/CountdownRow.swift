/// A subscriber of the states of a countdown. The queue tells it, not the bus.
final class CountdownRow: SubscriberRow<Countdown.State>, @unchecked Sendable {
  private var countdown: CountdownCore?

  init(
    _ countdown: CountdownCore,
    _ kinds: KindFilter,
    _ site: CallSite?,
    _ downstream: Downstream<Countdown.State>
  ) {
    self.countdown = countdown
    super.init(countdown.queue.bus, kinds, site, downstream, keepsLatestOnly: true)
  }

  override var startsWithValue: Bool { true }

  override func start(after delivered: DeliveredState, catchUp: LifecycleCatchUp) {
    guard let countdown else { return }
    let (state, isLast) = countdown.queue.join(self, countdown)
    offerFirst(state)
    if isLast { finish() }
  }

  override func clear() {
    if let countdown { countdown.queue.leave(countdown) }
    countdown = nil
    super.clear()
  }

  /// - Parameter state: Nil when the states finish.
  func tell(_ state: Countdown.State?) {
    guard isLive else { return }
    if let state { offer(state) } else { finish() }
  }
}
