public import LifecycleCombine

extension Publisher {
  /// Passes values on until one of the events, then finishes.
  ///
  /// ```swift
  /// keystrokes.prefix(until: [.didEnterBackground, .willTerminate], of: bus)
  ///   .sink { _ in
  ///     save()
  ///   } receiveValue: { key in
  ///     insert(key)
  ///   }
  ///   .store(in: scope)
  /// ```
  ///
  /// ```text
  /// events     ──────willResignActive────────didEnterBackground──────▶
  /// upstream   ──1───────2───────────────3─────────────4─────────5───▶
  /// result     ──1───────2───────────────3───|
  /// ```
  ///
  /// - **Where:** values arrive on upstream's thread, the end where the bus delivers, in the
  ///   publisher's turn of the event. Downstream is called once at a time: the thread that is
  ///   calling it delivers what arrives meanwhile, values before the end.
  /// - **Demand:** passes through.
  /// - **Completion:** upstream's passes through, with or without failure.
  /// - **The end of the bus:** has the same effect as one of the events. On a bus that has ended it
  ///   finishes without subscribing to upstream, at once where the bus delivers.
  /// - **Cancellation:** on any thread; upstream is cancelled at once, and once. The bus is not
  ///   kept alive.
  /// - Complexity: O(1) a value.
  ///
  /// With an empty list of kinds, only the end of the bus ends the stream.
  ///
  /// An event whose delivery is under way at the time of subscribing does not count, nor does one
  /// that downstream sends from inside `receive(subscription:)`.
  ///
  /// - Parameters:
  ///   - kinds: The kinds of event that end the stream.
  ///   - bus: The bus whose events count.
  ///   - fileID: The file ID of the call site.
  ///   - line: The line of the call site.
  public func prefix(
    until kinds: LifecycleEvent.Kinds,
    of bus: some LifecycleBusProtocol,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Publishers.LifecycleOperator<Self> {
    Publishers.LifecycleOperator(
      PrefixMachine(),
      upstream: self,
      hearing: kinds,
      of: bus.core,
      site: CallSite(fileID: fileID, line: line)
    )
  }
}
