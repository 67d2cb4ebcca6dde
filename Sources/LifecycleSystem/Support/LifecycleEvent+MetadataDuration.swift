import ReactiveLifecycle

extension LifecycleEvent {
  /// The duration that a source of this module has put into the metadata; nil if it has not.
  func metadataDuration(_ key: String) -> Duration? {
    metadata[key].flatMap { Duration(seconds: $0) }
  }
}
