/// The state machine of the calls of one observer of exit requests, of which there are never two at
/// once.
struct ExitQuestionMachine<Asker: Sendable, Call: Sendable>: Sendable {
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
    case idle
    /// The call is nil until it is known.
    case calling(Call?)
    /// The call was cancelled, because no asker waited for it, and has not returned.
    case abandoned
    case left
  }

  private var state = State.idle
  private(set) var askers: [Asker] = []
  /// The number of the last call.
  private var number = 0

  mutating func ask(_ asker: Asker) -> Admission {
    if case .left = state { return .left }
    askers.append(asker)
    guard case .idle = state else { return .wait }
    return .call(beginCall())
  }

  /// Records a call that has begun, so that it can be cancelled.
  ///
  /// - Returns: The call if it must be cancelled at once.
  mutating func didBegin(_ call: Call, number: Int) -> Call? {
    guard number == self.number else { return nil }
    switch state {
    case .calling:
      state = .calling(call)
      return nil
    case .abandoned, .left: return call
    case .idle: return nil
    }
  }

  /// Records that the call has returned.
  mutating func callDidReturn() -> Return {
    switch state {
    case .calling:
      state = .idle
      defer { askers = [] }
      return .answer(askers)
    case .abandoned:
      state = .idle
      return askers.first.map { .callAgain(beginCall(), for: $0) } ?? .none
    case .idle, .left:
      return .none
    }
  }

  /// Removes the askers that are meant: they wait no longer.
  ///
  /// - Returns: The call to cancel, because no asker is left.
  mutating func dismiss(where isMeant: (Asker) -> Bool) -> Call? {
    askers.removeAll(where: isMeant)
    guard askers.isEmpty, case .calling(let call) = state else { return nil }
    state = .abandoned
    return call
  }

  /// Removes the observer.
  ///
  /// - Returns: The askers, which receive no answer, and the call to cancel.
  mutating func leave() -> (askers: [Asker], call: Call?) {
    defer {
      state = .left
      askers = []
    }
    guard case .calling(let call) = state else { return (askers, nil) }
    return (askers, call)
  }

  private mutating func beginCall() -> Int {
    state = .calling(nil)
    number += 1
    return number
  }
}
