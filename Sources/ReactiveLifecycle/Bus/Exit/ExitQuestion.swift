import LifecycleSupport

/// The closure of an observer of exit requests, and its calls.
final class ExitQuestion: Sendable {
  /// Returns nil if the observer is gone.
  typealias Body = @Sendable (LifecycleExitRequest) async -> LifecycleExitRequest.Response?

  private struct State {
    var machine = ExitQuestionMachine<ExitRequests.Asker, Task<Void, Never>>()
    var body: Body?
  }

  private let context: DeliveryContext
  private let state: Locked<State>

  /// - Parameter context: Where the bus delivers. There the closure is called, and released.
  init(_ context: DeliveryContext, _ body: @escaping Body) {
    self.context = context
    state = Locked(State(body: body))
  }

  /// Calls the observer, or waits for the call that is under way.
  ///
  /// - Returns: False if the observer has left.
  func ask(_ asker: ExitRequests.Asker) -> Bool {
    switch state.withLock({ $0.machine.ask(asker) }) {
    case .call(let number): call(number, for: asker)
    case .wait: break
    case .left: return false
    }
    return true
  }

  /// Cancels the call if no other asker waits for it.
  func dismiss(_ asker: ExitRequests.Asker) {
    let call = state.withLock { $0.machine.dismiss { $0.isSame(as: asker) } }
    call?.cancel()
  }

  /// Removes the observer. Called where the bus delivers.
  func clear() {
    let (left, body) = state.withLock { ($0.machine.leave(), $0.body.take()) }
    left.call?.cancel()
    for asker in left.askers { asker.receive(nil) }
    withExtendedLifetime(body) {}
  }

  private func call(_ number: Int, for asker: ExitRequests.Asker) {
    let task =
      switch context {
      case .mainActor: Task { @MainActor in await run(for: asker, isolation: MainActor.shared) }
      case .sendingThread: Task { await run(for: asker, isolation: nil) }
      }
    let cancelled = state.withLock { $0.machine.didBegin(task, number: number) }
    cancelled?.cancel()
  }

  /// The task does not capture the closure, which is released where this runs.
  private func run(for asker: ExitRequests.Asker, isolation: isolated (any Actor)?) async {
    let (body, askers) = state.withLock { ($0.body, $0.machine.askers.unsharedForSanitizer) }
    // Those who wait may have changed since the call was requested.
    let request = LifecycleExitRequest(joining: askers.compactMap(\.request))
    let response = await body?(request ?? asker.firstRequest)
    switch state.withLock({ $0.machine.callDidReturn() }) {
    case .answer(let askers): for asker in askers { asker.receive(response) }
    case .callAgain(let number, let asker): call(number, for: asker)
    case .none: break
    }
  }
}
