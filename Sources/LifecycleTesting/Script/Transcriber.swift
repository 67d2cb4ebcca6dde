package import LifecycleCore

/// A listener that writes down what a bus delivers and suppresses.
///
/// Events on the way down are written before any observer receives them, others before the
/// observers that were registered later. It is not among the live subscriptions: those are the
/// program's.
package final class Transcriber: BusListener {
  private let rows: [ListenerRow]
  private let write: @Sendable (LifecycleEvent) -> Void
  private let writeSuppressed: @Sendable (SuppressedInput) -> Void

  package init(
    of core: LifecycleBusCore,
    events write: @escaping @Sendable (LifecycleEvent) -> Void,
    suppressed writeSuppressed: @escaping @Sendable (SuppressedInput) -> Void
  ) {
    self.write = write
    self.writeSuppressed = writeSuppressed
    rows = [
      ListenerRow(ownedOn: core, kinds: .all, site: nil, joins: false, preparation: .wayDown),
      ListenerRow(ownedOn: core, kinds: .all, site: nil, joins: false, table: .suppressions),
    ]
    for row in rows {
      row.setOwner(self)
      core.listen(row)
    }
  }

  deinit { cancel() }

  package func cancel() {
    for row in rows { row.cancel() }
  }

  package func join(at delivered: DeliveredState) {}
  package func busDidEnd() {}

  package func prepare(for event: LifecycleEvent) { write(event) }

  package func receive(_ event: LifecycleEvent) {
    // Events on the way down were written before.
    if event.phase >= event.previousPhase { write(event) }
  }

  package func receive(_ input: SuppressedInput) { writeSuppressed(input) }
}
