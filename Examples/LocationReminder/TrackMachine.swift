import ReactiveLifecycle

/// The fixes of a played track that a receiver sees: those that are due while it is on.
struct TrackMachine {
  /// A fix that is overdue by more than this was due while the process was stopped: it has passed
  /// unseen. A shorter delay is that of a busy machine.
  static let tolerance = Duration.seconds(1)

  private let fixes: [Track.Fix]
  private let rate: Double
  private var start: ContinuousInstant?
  private var next = 0
  private(set) var isOn = false

  /// - Parameter rate: The number of seconds of the track that pass in one second.
  init(_ track: Track, rate: Double) {
    fixes = track.fixes
    self.rate = rate
  }

  /// Switches the receiver on. The first time, the track begins to play; later, the receiver has
  /// not seen the fixes that passed while it was off.
  mutating func switchOn(at now: ContinuousInstant) {
    guard !isOn else { return }
    isOn = true
    if start == nil { start = now } else { skip(before: now) }
  }

  mutating func switchOff() {
    isOn = false
  }

  /// Returns the next fix that is due and has not been handed out yet; nil if there is none.
  mutating func nextFix(at now: ContinuousInstant) -> Track.Fix? {
    guard isOn, let due = due(next), due <= now else { return nil }
    if now - due > Self.tolerance {
      skip(before: now)
      return nextFix(at: now)
    }
    defer { next += 1 }
    return fixes[next]
  }

  /// The time of the next fix that is seen, or of the end; nil before the beginning.
  var deadline: ContinuousInstant? {
    (isOn ? due(next) : nil) ?? due(fixes.count - 1)
  }

  /// Returns whether the last fix has passed and is not about to be seen.
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
