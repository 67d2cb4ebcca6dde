#if Services
  import LifecycleSupport
  import ReactiveLifecycle

  /// A listener that calls a closure once, when its bus ends.
  final class BusEndListener: BusListener {
    private let onEnd: Locked<(@Sendable () -> Void)?>

    init(_ onEnd: @escaping @Sendable () -> Void) {
      self.onEnd = Locked(onEnd)
    }

    func join(at delivered: DeliveredState) {
      if delivered.phase == .terminated { end() }
    }

    func hear(_ event: LifecycleEvent) { end() }

    func busDidEnd() { end() }

    private func end() {
      onEnd.take()?()
    }
  }

  extension LifecycleBusCore {
    /// Calls a closure where the bus delivers, at its `willTerminate` or when it ends otherwise; at
    /// once if it has ended.
    ///
    /// - Returns: The registration, which is cancelled when it is released.
    func whenEnding(_ site: CallSite, _ body: @escaping @Sendable () -> Void)
      -> LifecycleCancellable
    {
      let listener = BusEndListener(body)
      let row = ListenerRow(core: self, kinds: .willTerminate, site: site, listener: listener)
      listen(row)
      if hasEnded { listener.busDidEnd() }
      return LifecycleCancellable { row.cancel() }
    }
  }
#endif
