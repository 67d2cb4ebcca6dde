import LifecycleTimelines

extension LifecycleTimeline {
  /// The spans of a lane, then its marks, with times in seconds.
  func lines(
    _ subject: Lane.Subject,
    name: String? = nil
  ) -> [String] {
    let found = lanes.filter {
      $0.subject == subject && name.map($0.name.hasPrefix) != false
    }
    return found.flatMap { lane in
      lane.spans.map {
        "\($0.start / .seconds(1))–\($0.end / .seconds(1)) row \($0.row): \($0.detail)"
      }
        + lane.marks.map { "\($0.time / .seconds(1)) \($0.style): \($0.detail)" }
    }
  }
}
