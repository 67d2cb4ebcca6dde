extension LifecycleTimeline {
  /// The numbers at the top of the page.
  var figures: [(name: String, value: String)] {
    func text(_ duration: Duration) -> String { TimeText.duration(duration / .seconds(1)) }
    func sum(of style: Style, in subject: Lane.Subject) -> Duration {
      lanes.filter { $0.subject == subject }.flatMap(\.spans).filter { $0.style == style }
        .reduce(.zero) { $0 + ($1.end - $1.start) }
    }
    let stays = lanes.filter { $0.subject == .background }.flatMap(\.spans)
    let (suppressed, killed) = (suppressedCount, killedCount)
    var figures = [
      ("Time", text(duration)), ("Records", Self.grouped(records.count)),
      ("Active", text(sum(of: .active, in: .phase))),
      ("Stays in the background", Self.grouped(stays.count)),
    ]
    if let longest = stays.map({ $0.end - $0.start }).max() {
      figures.append(("Longest stay", text(longest)))
    }
    let asleep = sum(of: .asleep, in: .sleep)
    if asleep > .zero { figures.append(("Machine asleep", text(asleep))) }
    if suppressed > 0 { figures.append(("Suppressed inputs", Self.grouped(suppressed))) }
    if runs.count > 1 {
      figures.append(("Runs", killed == 0 ? "\(runs.count)" : "\(runs.count), \(killed) killed"))
    }
    return figures
  }
}
