import ReactiveLifecycle

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension LifecycleFeed {
  /// Sends a notice without waiting for observers; a nonisolated bus delivers on another thread.
  func post(_ kind: LifecycleEvent.Kind, _ metadata: [String: String]) {
    _ = send(kind, metadata: metadata) {}
  }
}

/// Closes a descriptor, also in a type that has a method `close`.
func systemClose(_ descriptor: Int32) -> Int32 {
  close(descriptor)
}
