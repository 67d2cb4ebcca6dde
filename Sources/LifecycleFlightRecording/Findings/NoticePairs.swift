import ReactiveLifecycle

/// Compares notices that come in pairs, such as the sleep and the wake-up of the machine.
struct NoticePairs {
  private struct Report: Hashable {
    let kind: LifecycleEvent.Kind
    let origin: LifecycleEvent.Origin
  }

  /// The kinds that begin something, by those that end it.
  private static let beginnings: [LifecycleEvent.Kind: LifecycleEvent.Kind] = [
    .systemDidWake: .systemWillSleep,
    .protectedDataDidBecomeAvailable: .protectedDataWillBecomeUnavailable,
  ]

  /// The beginnings that no source has ended.
  private var open: Set<LifecycleEvent.Kind> = []
  /// The beginnings that each source has reported, and whether that source has not ended them.
  private var reported: [Report: Bool] = [:]

  /// Returns whether a notice does not fit the ones before it: it begins what no source has ended,
  /// or it ends what its own source has ended, too.
  ///
  /// A source that never reported a beginning may not know of any. One may report the end that
  /// another one has reported.
  mutating func isMismatch(_ notice: LifecycleEvent) -> Bool {
    guard let beginning = Self.beginnings[notice.kind] else {
      guard Self.beginnings.values.contains(notice.kind) else { return false }
      reported[Report(kind: notice.kind, origin: notice.origin)] = true
      return !open.insert(notice.kind).inserted
    }
    open.remove(beginning)
    let report = Report(kind: beginning, origin: notice.origin)
    guard let isOpen = reported[report] else { return false }
    reported[report] = false
    return !isOpen
  }
}
