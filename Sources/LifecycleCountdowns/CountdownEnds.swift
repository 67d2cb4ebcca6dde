import ReactiveLifecycle

/// The stream of a countdown's ends.
final class CountdownEnds: FeatureStream {
  private let countdown: CountdownCore

  init(of countdown: CountdownCore) {
    self.countdown = countdown
  }

  func join(_ row: FeatureRow<Countdown.State>) {
    let (end, isLast) = countdown.queue.joinEnds(row, countdown)
    if let end { row.tell(end) }
    if isLast { row.finish() }
  }

  func leave(_ row: FeatureRow<Countdown.State>) {
    countdown.queue.leaveEnds(countdown)
  }
}
