import LifecycleSupport

extension LifecycleBusCore {
  package func onExitRequest(
    in scope: ScopeCore,
    id: (any Hashable & Sendable)?,
    _ site: CallSite,
    _ body: @escaping @Sendable (LifecycleExitRequest) async -> LifecycleExitRequest.Response
  ) {
    let identity = id.map { ObserverIdentity($0, holder: scope) }
    let row = ExitRequestRow(core: self, site: site, identity: identity, body: body)
    add(row, in: scope, catchUp: .nothing, site)
  }
}

/// An observer of exit requests, and the calls of its closure. It receives no events.
///
/// `@unchecked Sendable`, as its superclass is: it adds only a constant, which is `Sendable`.
final class ExitRequestRow: ObserverRow, @unchecked Sendable {
  typealias Body = @Sendable (LifecycleExitRequest) async -> LifecycleExitRequest.Response

  private struct State {
    var machine = ExitQuestionMachine<ExitRequests.Asker>()
    /// Called, and released, where the bus delivers.
    var body: Body?
  }

  private let state: Locked<State>

  init(
    core: LifecycleBusCore,
    site: CallSite,
    identity: ObserverIdentity?,
    body: @escaping Body
  ) {
    state = Locked(State(body: body))
    super.init(core: core, kinds: [], site: site, identity: identity)
  }

  /// Calls the observer, or waits for the call that is under way.
  ///
  /// - Returns: False if the observer has left.
  func ask(_ asker: ExitRequests.Asker) -> Bool {
    let isLive = isLive
    switch state.withLock({ $0.machine.ask(asker, isLive: isLive) }) {
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

  override func clear() {
    let (left, body) = state.withLock { ($0.machine.leave(), $0.body.take()) }
    left.call?.cancel()
    for asker in left.askers { asker.receive(nil) }
    withExtendedLifetime(body) {}
  }

  private func call(_ number: Int, for asker: ExitRequests.Asker) {
    let task =
      switch core.context {
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
    // The row may have left before, or meanwhile, and be cleared after the delivery under way.
    let response = isLive ? await body?(request ?? asker.firstRequest) : nil
    let isLive = isLive
    switch state.withLock({ $0.machine.callDidReturn(isLive: isLive) }) {
    case .answer(let askers):
      for asker in askers { asker.receive(isLive ? response : nil) }
    case .callAgain(let number, let asker): call(number, for: asker)
    case .none: break
    }
  }
}

/// The state machine of the calls of one observer of exit requests, of which there are never two at
/// once.
struct ExitQuestionMachine<Asker: AnyObject & Sendable>: Sendable {
  typealias Call = Task<Void, Never>

  /// The outcome of asking.
  enum Admission: Sendable, Equatable {
    /// The caller calls the observer, and reports it as the call with this number.
    case call(Int)
    /// The asker receives the answer of a call that is under way, or of the next one.
    case wait
    /// The observer has left.
    case left
  }

  /// The work that is left when a call has returned.
  enum Return: Sendable {
    /// The askers receive the answer.
    case answer([Asker])
    /// No asker waits for the answer. The next call is for this asker, and others.
    case callAgain(Int, for: Asker)
    case none
  }

  private enum State {
    case idle, calling
    /// The call was cancelled, because no asker waited for it, and has not returned.
    case abandoned
    case left
  }

  private var state = State.idle
  /// The call that is under way, once it is known.
  private var call: Call?
  private(set) var askers: [Asker] = []
  /// The number of the last call.
  private var number = 0

  /// - Parameter isLive: False if the observer has left, and `leave()` is about to be called.
  mutating func ask(_ asker: Asker, isLive: Bool) -> Admission {
    guard isLive, state != .left else { return .left }
    askers.append(asker)
    guard state == .idle else { return .wait }
    return .call(beginCall())
  }

  /// Records a call that has begun, so that it can be cancelled.
  ///
  /// - Returns: The call if it must be cancelled at once.
  mutating func didBegin(_ call: Call, number: Int) -> Call? {
    guard number == self.number else { return nil }
    switch state {
    case .calling:
      self.call = call
      return nil
    case .abandoned, .left: return call
    case .idle: return nil
    }
  }

  /// Records that the call has returned.
  ///
  /// - Parameter isLive: False if the observer has left: then it is not called again.
  mutating func callDidReturn(isLive: Bool) -> Return {
    switch state {
    case .abandoned where isLive:
      state = .idle
      return askers.first.map { .callAgain(beginCall(), for: $0) } ?? .none
    case .calling, .abandoned:
      state = .idle
      call = nil
      defer { askers = [] }
      return .answer(askers)
    case .idle, .left:
      return .none
    }
  }

  /// Removes the askers that are meant: they wait no longer.
  ///
  /// - Returns: The call to cancel, because no asker is left.
  mutating func dismiss(where isMeant: (Asker) -> Bool) -> Call? {
    askers.removeAll(where: isMeant)
    guard askers.isEmpty, state == .calling else { return nil }
    state = .abandoned
    return call.take()
  }

  /// Removes the observer.
  ///
  /// - Returns: The askers, which receive no answer, and the call to cancel.
  mutating func leave() -> (askers: [Asker], call: Call?) {
    defer {
      state = .left
      askers = []
    }
    return (askers, call.take())
  }

  private mutating func beginCall() -> Int {
    state = .calling
    number += 1
    return number
  }
}
