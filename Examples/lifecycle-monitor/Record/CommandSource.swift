#if os(Linux)
  import LifecycleSupport
  import ReactiveLifecycle

  /// A command, as a source of a bus.
  final class CommandSource: LifecycleSource {
    let name: LifecycleSourceName = "command"
    private let feed = Locked<LifecycleFeed?>(nil)

    func start(_ input: LifecycleFeed) -> @Sendable () -> Void {
      feed.discard { feed in
        let previous = feed
        feed = input
        return previous
      }
      return {}
    }

    func send(_ kind: LifecycleEvent.Kind, metadata: [String: String]) {
      feed.withLock { $0 }?.send(kind, metadata: metadata)
    }
  }
#endif
