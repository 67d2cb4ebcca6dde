import LifecycleSupport

/// The exit requests on one bus, which keeps them only while a round is under way.
final class ExitRequests: Sendable {
  private typealias Machine = ExitRequestMachine<any ExitObserver, ExitCaller>

  /// A round that waits for an observer's answer.
  struct Asker: Sendable {
    fileprivate let requests: ExitRequests
    fileprivate let number: Int
    /// The request at the time when the observer was asked.
    let firstRequest: LifecycleExitRequest

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
  func add(_ caller: ExitCaller, asking observers: [any ExitObserver]) {
    perform(machine.withLock { $0.request(caller, asking: observers) })
  }

  /// Completes the request with the answers so far, unless it is complete.
  func withdraw(_ caller: ExitCaller) {
    guard let withdrawal = machine.withLock({ $0.withdraw(caller) }) else { return }
    if let question = withdrawal.dismissed {
      question.observer.question.dismiss(asker(of: question))
    }
    caller.complete(with: outcome(of: withdrawal.round))
  }

  private func perform(_ action: Machine.Action?) {
    // A loop, because any number of observers may have left.
    var next = action
    while let action = next.take() {
      switch action {
      case .ask(let question):
        let asker = asker(of: question)
        if !question.observer.question.ask(asker) {
          next = machine.withLock { $0.receive(.left, to: question.number) }
        } else if !machine.withLock({ $0.isAsking(question.number) }) {
          // The last caller may have withdrawn before the question was asked.
          question.observer.question.dismiss(asker)
        }
      case .finish(let round):
        let outcome = outcome(of: round)
        for caller in round.callers { caller.complete(with: outcome) }
      }
    }
  }

  private func asker(of question: Machine.Question) -> Asker {
    Asker(requests: self, number: question.number, firstRequest: question.request)
  }

  private func outcome(of round: Machine.Round) -> LifecycleExitOutcome {
    LifecycleExitOutcome(
      cancelledBy: round.cancelledBy.map(\.location),
      unanswered: round.unanswered.filter { $0.isLive && $0.isListed }.map(\.location)
    )
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
