extension LifecycleBusCore {
  package func addTranscriber(
    of body: @escaping @Sendable (LifecycleEvent) -> Void
  ) -> LifecycleCancellable {
    add(TranscriptRow(core: self, table: .events, hear: body))
  }

  package func addTranscriber(
    ofSuppressed body: @escaping @Sendable (SuppressedInput) -> Void
  ) -> LifecycleCancellable {
    add(TranscriptRow(core: self, table: .suppressions, receiveSuppressed: body))
  }

  private func add(_ row: TranscriptRow) -> LifecycleCancellable {
    listen(row)
    return LifecycleCancellable(row)
  }
}
