import OpenCombineShim

/// A closure that wants the values of a stream, and its end.
final class SinkRow: ObserverRow, @unchecked Sendable {
  private var body: ((LifecycleEvent) -> Void)?
  private var first: ((DeliveredState) -> Void)?
  private var completion: ((Subscribers.Completion<Never>) -> Void)?

  /// - Parameter owner: The actor that the closures belong to, if calls elsewhere are to be expected.
  init(
    core: BusCore,
    kinds: KindFilter,
    site: CallSite,
    first: ((DeliveredState) -> Void)?,
    completion: ((Subscribers.Completion<Never>) -> Void)?,
    body: @escaping (LifecycleEvent) -> Void,
    owner: (any Actor)?
  ) {
    self.first = if let owner { first.map { checked($0, owner) } } else { first }
    self.completion = if let owner { completion.map { checked($0, owner) } } else { completion }
    self.body = if let owner { checked(body, owner) } else { body }
    super.init(core: core, kinds: kinds, site: site)
  }

  override func receive(_ event: LifecycleEvent) {
    guard let body else { return }
    self.body = nil
    body(event)
    self.body = body
  }

  override var startsWithValue: Bool { first != nil }

  override func start(after delivered: DeliveredState, catchUp: LifecycleCatchUp) {
    super.start(after: delivered, catchUp: catchUp)
    first?(delivered)
  }

  override func finish() {
    guard isLive else { return }
    let completion = completion
    cancel()
    completion?(.finished)
  }

  override func clear() {
    _ = (body.take(), first.take(), completion.take())
  }
}

private func checked<Value>(
  _ body: @escaping (Value) -> Void,
  _ owner: any Actor
) -> (Value) -> Void {
  let message = """
    A closure given to sink belongs to an actor, and was called elsewhere. Observe a LifecycleBus \
    on the main actor; or, if the closure is @Sendable, say sink(isolation: nil).
    """
  guard owner === MainActor.shared else {
    return { value in
      owner.preconditionIsolated(message)
      body(value)
    }
  }
  return { value in
    // `preconditionIsolated` would stop the program inside Dispatch, without a word.
    guard MainQueue.isCurrent else { fatalError(message) }
    body(value)
  }
}
