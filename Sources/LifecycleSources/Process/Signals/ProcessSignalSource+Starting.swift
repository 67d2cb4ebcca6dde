public import ReactiveLifecycle

extension ProcessSignalSource: LifecycleSource {
  /// Starts the engine, or joins it, and reports the current phase of the process.
  ///
  /// - Throws: `ProcessSignalSource.StartError` if the system is short of descriptors or threads.
  public func start(_ input: LifecycleFeed) throws -> @Sendable () -> Void {
    let connection = SignalConnection(source: self, input: input)
    try ProcessSignalEngine.join(connection)
    return { ProcessSignalEngine.leave(connection) }
  }
}
