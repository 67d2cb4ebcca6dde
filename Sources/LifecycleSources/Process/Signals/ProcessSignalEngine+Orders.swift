import LifecycleSupport
import ReactiveLifecycle

extension ProcessSignalEngine {
  /// An action of the machine, bound in the same critical section to the connections that it
  /// concerns.
  enum Order {
    case begin(SignalAnnouncement, [SignalConnection])
    case ask(SignalQuestion)
    case withdraw(SignalQuestion)
    case perform(JobControlAction)
  }
}

extension ProcessSignalEngine.State {
  /// Feeds the machine, and returns what is to be performed, in order.
  mutating func handle(_ input: JobControlInput) -> [ProcessSignalEngine.Order] {
    machine.handle(input).map { bind($0) }
  }

  private mutating func bind(_ action: JobControlAction) -> ProcessSignalEngine.Order {
    if case .ask(let signal) = action { return .ask(beginQuestion(signal)) }
    if action == .stopAsking, let question = question.take() { return .withdraw(question) }
    guard case .announce(let kind, let signal, let moment, let isAwaited) = action else {
      return .perform(action)
    }
    let announcement = SignalAnnouncement(
      kind,
      signal: signal,
      moment: moment,
      timeout: isAwaited ? connections.map(\.source.deadline).max() ?? .zero : nil
    )
    for connection in connections { announcement.expect(connection) }
    if isAwaited { awaited = announcement }
    if kind == .termination { end = announcement }
    return .begin(announcement, connections.unsharedForSanitizer)
  }

  private mutating func beginQuestion(_ signal: JobControlSignal) -> SignalQuestion {
    let timeout = connections.compactMap(\.source.termination.timeToAsk).max() ?? .zero
    let question = SignalQuestion(signal, connections.unsharedForSanitizer, timeout: timeout)
    self.question = question
    return question
  }
}
