extension JobControlMachine {
  /// A question to the observers whether a signal may end the process.
  package struct Question: Hashable, Sendable {
    /// The last signal that the question is about.
    package fileprivate(set) var signal: JobControlSignal
    /// The moment of the first `SIGTERM` or `SIGINT`; of the hang-up until one of them comes.
    package fileprivate(set) var moment: SignalMoment
  }

  /// A Boolean value that indicates whether a signal leads to a question, or concerns one.
  var mayAsk: Bool {
    switch activity {
    case .running, .suspending, .holdingStop: (asks && !isTerminationAnnounced) || question != nil
    case .arming, .stopped, .ending, .ended: false
    }
  }

  mutating func ask(_ signal: JobControlSignal, _ moment: SignalMoment) -> [JobControlAction] {
    guard let question else {
      self.question = Question(signal: signal, moment: moment)
      return [.ask(signal)]
    }
    guard signal != .hangUp else { return [] }
    // A hang-up may be accompanied by a SIGTERM.
    if question.signal == .hangUp { self.question?.moment = moment }
    self.question?.signal = signal
    // A second SIGTERM or SIGINT insists.
    let isLate = moment.continuous - question.moment.continuous >= Self.leastTime
    guard question.signal != .hangUp, isLate else { return [] }
    self.question = nil
    return [.stopAsking] + respond(to: .signal(signal, at: moment))
  }

  mutating func endQuestion(isCancelled: Bool, _ moment: SignalMoment) -> [JobControlAction] {
    switch activity {
    case .arming, .stopped: return []
    default: break
    }
    guard let question = question.take(), !isCancelled else { return [] }
    let actions = respond(to: .signal(question.signal, at: moment))
    if endRequest != nil { endRequest = question.moment }
    return actions
  }
}
