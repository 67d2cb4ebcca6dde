extension LifecycleBusCore {
  package func addTranscriber(
    of body: @escaping @Sendable (LifecycleEvent) -> Void
  ) -> LifecycleSubscription {
    add(TranscriptRow(core: self, table: .events, hear: body))
  }

  package func addTranscriber(
    ofSuppressed body: @escaping @Sendable (SuppressedInput) -> Void
  ) -> LifecycleSubscription {
    add(TranscriptRow(core: self, table: .suppressions, receiveSuppressed: body))
  }

  private func add(_ row: TranscriptRow) -> LifecycleSubscription {
    listen(row)
    return LifecycleSubscription(row, cancelsOnRelease: true)
  }
}
