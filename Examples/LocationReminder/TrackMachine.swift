import ReactiveLifecycle

/// Which fixes of a track that is played a receiver sees: those at whose time it is on.
struct TrackMachine {
  /// A fix that is due this long was due while the process was stopped: it has passed unseen. One that
  /// is late for less has met a busy machine.
  static let tolerance = Duration.seconds(1)

  private let fixes: [Track.Fix]
  private let rate: Double
  private var start: ContinuousInstant?
  private var next = 0
  private(set) var isOn = false

  /// - Parameter rate: How many seconds of the track pass in one.
  init(_ track: Track, rate: Double) {
    fixes = track.fixes
    self.rate = rate
  }

  /// The first time the track begins to play. Whatever has passed while the receiver was off, it has
  /// not seen.
  mutating func switchOn(at now: ContinuousInstant) {
    guard !isOn else { return }
    isOn = true
    if start == nil { start = now } else { skip(before: now) }
  }

  mutating func switchOff() {
    isOn = false
  }

  /// The next fix that is due and was not handed out yet; nil if there is none.
  mutating func nextFix(at now: ContinuousInstant) -> Track.Fix? {
    guard isOn, let due = due(next), due <= now else { return nil }
    if now - due > Self.tolerance {
      skip(before: now)
      return nextFix(at: now)
    }
    defer { next += 1 }
    return fixes[next]
  }

  /// When something happens next: a fix that is seen, or the end. Nil before the beginning.
  var deadline: ContinuousInstant? {
    (isOn ? due(next) : nil) ?? due(fixes.count - 1)
  }

  /// Whether the last fix has passed; not while it is about to be seen.
  func isOver(at now: ContinuousInstant) -> Bool {
    guard let end = due(fixes.count - 1), end <= now else { return false }
    return !isOn || next == fixes.count
  }

  private mutating func skip(before now: ContinuousInstant) {
    while let due = due(next), due < now { next += 1 }
  }

  private func due(_ index: Int) -> ContinuousInstant? {
    guard let start, fixes.indices.contains(index) else { return nil }
    return start + fixes[index].time / rate
  }
}
