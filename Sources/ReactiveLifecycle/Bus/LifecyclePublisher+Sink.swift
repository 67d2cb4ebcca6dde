import OpenCombineShim

// A row of the bus's own instead of OpenCombine's `Sink`, which takes a lock for every value.

extension LifecyclePublisher where Bus == LifecycleBus {
  /// Calls a closure with each value, on the main actor, until the result is cancelled or released.
  ///
  /// ```swift
  /// let sink = bus.events.sink { event in print(event.kind) }
  /// ```
  ///
  /// - Parameters:
  ///   - receiveCompletion: Called when the stream has ended.
  ///   - receiveValue: Called with each value.
  /// - Returns: What cancels the subscription when it is cancelled or released.
  public func sink(
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    receiveCompletion: ((Subscribers.Completion<Never>) -> Void)? = nil,
    receiveValue: @escaping (Output) -> Void
  ) -> AnyCancellable {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    return sink(site, receiveCompletion, receiveValue)
  }
}

extension LifecyclePublisher where Bus == NonisolatedLifecycleBus {
  /// Calls a closure with each value, on the sending thread, until the result is cancelled or
  /// released.
  ///
  /// ```swift
  /// let sink = bus.events.sink { event in print(event.kind) }
  /// ```
  ///
  /// - Parameters:
  ///   - receiveCompletion: Called when the stream has ended.
  ///   - receiveValue: Called with each value.
  /// - Returns: What cancels the subscription when it is cancelled or released.
  public func sink(
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    receiveCompletion: (@Sendable (Subscribers.Completion<Never>) -> Void)? = nil,
    receiveValue: @escaping @Sendable (Output) -> Void
  ) -> AnyCancellable {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    return sink(site, receiveCompletion, receiveValue)
  }
}

extension LifecyclePublisher {
  private func sink(
    _ site: CallSite,
    _ receiveCompletion: ((Subscribers.Completion<Never>) -> Void)?,
    _ receiveValue: @escaping (Output) -> Void
  ) -> AnyCancellable {
    let row = SinkRow(
      core: core,
      kinds: stream.kinds,
      site: self.site ?? site,
      first: stream.current.map { current in { receiveValue(current($0)) } },
      completion: receiveCompletion.map { completion in { completion(.finished) } },
      body: stream.receiver(receiveValue)
    )
    core.subscribe(row, catchUp: catchUp)
    return AnyCancellable { row.cancel() }
  }
}
