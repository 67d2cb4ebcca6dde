import ReactiveLifecycle

extension LifecycleFeed {
  /// Sends a notice without waiting for observers; a nonisolated bus delivers on another thread.
  func post(_ kind: LifecycleEvent.Kind, _ metadata: [String: String]) {
    _ = send(kind, metadata: metadata) {}
  }
}
