public import LifecycleCombine

extension Publisher {
  /// Passes everything on until one of the events, then finishes.
  ///
  /// ```swift
  /// keystrokes.prefix(until: .didEnterBackground, .willTerminate, on: bus)
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
  /// - **Where:** values arrive on upstream's thread, the end where the bus delivers, in the publisher's
  ///   turn of the event. Downstream is called once at a time: what comes meanwhile is handed out by the
  ///   thread that is handing out, values before the end.
  /// - **Demand:** it passes through.
  /// - **Completion:** upstream's passes through, be it a failure or not.
  /// - **The end of the bus:** as one of the events. On a bus that has ended it finishes without
  ///   subscribing to upstream, at once where the bus delivers.
  /// - **Cancellation:** any thread; at once and once. The bus is not kept alive.
  /// - **Complexity:** O(1) a value.
  ///
  /// An event whose delivery is under way at the time of subscribing does not count, nor does one that
  /// downstream sends from inside `receive(subscription:)`.
  ///
  /// - Parameters:
  ///   - kind: A kind of event that ends the stream.
  ///   - kinds: More of them.
  ///   - bus: Whose events count.
  public func prefix(
    until kind: LifecycleEvent.Kind,
    _ kinds: LifecycleEvent.Kind...,
    on bus: some LifecycleBusProtocol,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Publishers.LifecyclePrefix<Self> {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    return Publishers.LifecyclePrefix(self, KindFilter(some: [kind] + kinds), bus.core.core, site)
  }
}

extension Publishers {
  /// What `prefix(until:on:)` makes of a publisher.
  public struct LifecyclePrefix<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    private let upstream: Upstream
    private let kinds: KindFilter
    private let core: BusCore
    private let site: CallSite

    init(_ upstream: Upstream, _ kinds: KindFilter, _ core: BusCore, _ site: CallSite) {
      self.upstream = upstream
      self.kinds = kinds
      self.core = core
      self.site = site
    }

    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      OperatorConduit.start(
        PrefixMachine(),
        from: upstream,
        to: subscriber,
        hearing: kinds,
        of: core,
        site
      )
    }
  }
}

extension Publishers.LifecyclePrefix: Sendable where Upstream: Sendable {}
