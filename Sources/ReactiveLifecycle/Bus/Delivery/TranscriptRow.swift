/// The observer that writes a test's transcript.
///
/// Registered first, it receives each event before all others, also on the way down. It is not
/// among the live subscriptions: those are the program's.
///
/// `@unchecked Sendable`: its mutable state is part of the row's contents; see `ObserverRow`.
final class TranscriptRow: ObserverRow, @unchecked Sendable {
  private var hear: (LifecycleEvent) -> Void
  private var receiveSuppressed: (SuppressedInput) -> Void
  /// The number of the event that was received last.
  private var heard = 0

  init(
    core: LifecycleBusCore,
    table: Table,
    hear: @escaping @Sendable (LifecycleEvent) -> Void = { _ in },
    receiveSuppressed: @escaping @Sendable (SuppressedInput) -> Void = { _ in }
  ) {
    self.hear = hear
    self.receiveSuppressed = receiveSuppressed
    super.init(core: core, kinds: .all, site: nil, table: table)
  }

  override var isListed: Bool { false }

  override func receive(_ event: LifecycleEvent) {
    // On the way down its turn comes again.
    guard event.sequenceNumber > heard else { return }
    heard = event.sequenceNumber
    hear(event)
  }

  /// Delivers the event to the transcript, if there is one, before the observers registered after
  /// it.
  @inline(never)
  static func receiveFirst(_ event: LifecycleEvent, among rows: ContiguousArray<ObserverRow>) {
    if let row = rows.first as? TranscriptRow, row.isLive { row.receive(event) }
  }

  override func receive(_ input: SuppressedInput) { receiveSuppressed(input) }

  override func clear() {
    hear = { _ in }
    receiveSuppressed = { _ in }
  }
}
