import LifecycleSupport

/// The state machine of the exit requests on one bus.
///
/// It asks one observer after the other, all of them, also after one has cancelled. Callers that
/// request an exit meanwhile share the round.
struct ExitRequestMachine<Observer: Sendable, Caller: AnyObject & Sendable>: Sendable {
  enum Answer: Sendable, CaseIterable {
    case exit, cancel
    /// The observer left before it answered.
    case left
  }

  /// One question to one observer.
  struct Question: Sendable {
    let number: Int
    let observer: Observer
    let callers: [Caller]
    /// A Boolean value that indicates whether an observer before has cancelled.
    let isCancelled: Bool
  }

  struct Round: Sendable {
    let observers: [Observer]
    fileprivate(set) var callers: [Caller]
    fileprivate(set) var cancelledBy: [Observer] = []
    /// The number of observers that have answered. The next one is being asked.
    fileprivate var answerCount = 0

    var unanswered: ArraySlice<Observer> { observers[answerCount...] }
  }

  enum Action: Sendable {
    case ask(Question)
    /// All have answered: the callers of the round receive their outcome.
    case finish(Round)
  }

  /// The work that a caller that no longer waits leaves to do.
  struct Withdrawal: Sendable {
    /// The round, for the caller's outcome.
    let round: Round
    /// The question for whose answer no caller waits any longer.
    let dismissed: Question?
  }

  private var round: Round?
  /// The number of the last question.
  private var number = 0

  /// Begins a round, or adds the caller to the one that is under way.
  ///
  /// - Parameter observers: The observers to ask if no round is under way.
  mutating func request(_ caller: Caller, asking observers: [Observer]) -> Action? {
    guard round == nil else {
      round?.callers.append(caller)
      return nil
    }
    round = Round(observers: observers, callers: [caller])
    return next()
  }

  /// Records an answer. Has no effect if the question is not the current one.
  mutating func receive(_ answer: Answer, to number: Int) -> Action? {
    guard isAsking(number), let observer = round?.unanswered.first else { return nil }
    if answer == .cancel { round?.cancelledBy.append(observer) }
    round?.answerCount += 1
    return next()
  }

  /// Removes a caller, which waits no longer. The round ends with its last caller.
  ///
  /// - Returns: Nil if the caller has its outcome already.
  mutating func withdraw(_ caller: Caller) -> Withdrawal? {
    guard let index = round?.callers.firstIndex(where: { $0 === caller }) else { return nil }
    let question = question
    round?.callers.remove(at: index)
    guard var round else { return nil }
    round.cancelledBy = round.cancelledBy.unsharedForSanitizer
    guard round.callers.isEmpty else { return Withdrawal(round: round, dismissed: nil) }
    self.round = nil
    return Withdrawal(round: round, dismissed: question)
  }

  /// Returns whether a caller waits for the answer to the question.
  func isAsking(_ number: Int) -> Bool { round != nil && number == self.number }

  /// Returns the question with those who wait for its answer now; nil if there are none.
  func question(_ number: Int) -> Question? { isAsking(number) ? question : nil }

  private mutating func next() -> Action? {
    number += 1
    if let question { return .ask(question) }
    return round.take().map { .finish($0) }
  }

  private var question: Question? {
    round.flatMap { round in
      round.unanswered.first.map {
        Question(
          number: number,
          observer: $0,
          callers: round.callers.unsharedForSanitizer,
          isCancelled: !round.cancelledBy.isEmpty
        )
      }
    }
  }
}
