import LifecycleSupport

extension LifecycleBusCore {
  /// Asks the observers of the bus and of the buses that it feeds.
  ///
  /// - Parameters:
  ///   - deadline: The instant at which the request completes with the answers so far; nil if the
  ///     caller completes it.
  ///   - completion: Called once, on any thread; before this returns if there is no observer.
  /// - Returns: A closure that completes the request with the answers so far.
  @discardableResult
  package func requestExit(
    _ request: LifecycleExitRequest,
    until deadline: ContinuousInstant?,
    completion: @escaping @Sendable (LifecycleExitResult) -> Void
  ) -> @Sendable () -> Void {
    let observers = exitObservers
    guard !observers.isEmpty else {
      completion(LifecycleExitResult())
      return {}
    }
    let requests =
      attachment(ObjectIdentifier(ExitRequests.self), { _ in ExitRequests() }, start: { _ in })
      as! ExitRequests
    let alarm = Alarm(clock)
    let caller = ExitCaller(request) {
      alarm.end()
      completion($0)
    }
    requests.add(caller, asking: observers)
    // Weak, because the completion may hold the closure. Until then, the round holds the caller.
    let withdraw = { @Sendable [weak caller] in if let caller { requests.withdraw(caller) } }
    alarm.set(for: deadline, withdraw)
    return withdraw
  }

  /// The observers in the order in which they are asked. As on the way down, the latest come first:
  /// before those of the bus, the observers of the buses that it feeds.
  private var exitObservers: [ExitRequestRow] {
    var seen: Set<ObjectIdentifier> = [ObjectIdentifier(self)]
    var observers: [ExitRequestRow] = []
    func collect(_ bus: LifecycleBusCore) {
      for child in BusGraph.shared.busesEnding(with: bus).reversed()
      where seen.insert(ObjectIdentifier(child)).inserted {
        collect(child)
      }
      let rows = bus.liveRows
      observers += rows.reversed().compactMap { $0 as? ExitRequestRow }
    }
    collect(self)
    return observers
  }
}

/// The exit requests on one bus, which keeps them only while a round is under way.
final class ExitRequests: Sendable {
  fileprivate typealias Machine = ExitRequestMachine<ExitRequestRow, ExitCaller>

  /// A round that waits for an observer's answer.
  final class Asker: Sendable {
    private let requests: ExitRequests
    private let number: Int
    /// The request at the time when the observer was asked.
    let firstRequest: LifecycleExitRequest

    fileprivate init(_ question: Machine.Question, of requests: ExitRequests) {
      self.requests = requests
      number = question.number
      firstRequest = question.request
    }

    /// The request of those who wait now; nil if there are none.
    var request: LifecycleExitRequest? {
      requests.machine.withLock { $0.question(number) }?.request
    }

    func isSame(as other: Asker) -> Bool { requests === other.requests && number == other.number }

    /// - Parameter response: The observer's; nil if it left.
    func receive(_ response: LifecycleExitRequest.Response?) {
      let answer: Machine.Answer =
        switch response {
        case .exit: .exit
        case .cancel: .cancel
        case nil: .left
        }
      requests.perform(requests.machine.withLock { $0.receive(answer, to: number) })
    }
  }

  private let machine = Locked(Machine())

  /// Asks the observers, unless others are being asked already.
  fileprivate func add(_ caller: ExitCaller, asking observers: [ExitRequestRow]) {
    perform(machine.withLock { $0.request(caller, asking: observers) })
  }

  /// Completes the request with the answers so far, unless it is complete.
  fileprivate func withdraw(_ caller: ExitCaller) {
    guard let withdrawal = machine.withLock({ $0.withdraw(caller) }) else { return }
    if let question = withdrawal.dismissed {
      question.observer.dismiss(Asker(question, of: self))
    }
    caller.complete(result(of: withdrawal.round))
  }

  private func perform(_ action: Machine.Action?) {
    // A loop, because any number of observers may have left.
    var next = action
    while let action = next.take() {
      switch action {
      case .ask(let question):
        let asker = Asker(question, of: self)
        if !question.observer.ask(asker) {
          next = machine.withLock { $0.receive(.left, to: question.number) }
        } else if !machine.withLock({ $0.isAsking(question.number) }) {
          // The last caller may have withdrawn before the question was asked.
          question.observer.dismiss(asker)
        }
      case .finish(let round):
        let result = result(of: round)
        for caller in round.callers { caller.complete(result) }
      }
    }
  }

  private func result(of round: Machine.Round) -> LifecycleExitResult {
    LifecycleExitResult(
      cancelledBy: round.cancelledBy.map(\.location),
      unanswered: round.unanswered.filter(\.isLive).map(\.location)
    )
  }
}

/// One request for an exit, until its sender has the result.
private final class ExitCaller: Sendable {
  /// The request as the first observer would receive it.
  let request: LifecycleExitRequest
  let complete: @Sendable (LifecycleExitResult) -> Void

  init(
    _ request: LifecycleExitRequest,
    complete: @escaping @Sendable (LifecycleExitResult) -> Void
  ) {
    self.request = request
    self.complete = complete
  }
}

extension ExitRequestMachine.Question where Caller == ExitCaller {
  fileprivate var request: LifecycleExitRequest {
    var request = LifecycleExitRequest(joining: callers.map(\.request)) ?? LifecycleExitRequest()
    request.isCancelled = isCancelled
    return request
  }
}

extension LifecycleExitRequest {
  /// Joins requests into the first one with the earliest deadline; nil if there are none.
  init?(joining requests: [LifecycleExitRequest]) {
    guard let first = requests.first else { return nil }
    self = first
    deadline = requests.compactMap(\.deadline).min()
  }
}

/// The state machine of the exit requests on one bus.
///
/// It asks one observer after the other, all of them, also after one has cancelled. Callers that
/// request an exit meanwhile share the round.
struct ExitRequestMachine<Observer: AnyObject & Sendable, Caller: AnyObject & Sendable>: Sendable {
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
    /// All have answered: the callers of the round receive their result.
    case finish(Round)
  }

  /// The work that a caller that no longer waits leaves to do.
  struct Withdrawal: Sendable {
    /// The round, for the caller's result.
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
  /// - Returns: Nil if the caller has its result already.
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
