import LifecycleCombine
import ReactiveLifecycle
import Synchronization

/// The check of the inputs of a bus.
///
/// An input that is suppressed is counted and published (G2), also after the end of the bus (G8).
/// An input that is accepted is delivered, in the order in which its sender sent it (G3, G7). That
/// is checked with notices, as each of them becomes an event. A sender numbers those that were
/// accepted.
final class InputCheck: Sendable {
  private struct State {
    var accepted: [String: Int] = [:]
    var received: [String: Int] = [:]
    var outcomes: [SuppressedInput.Reason: Int] = [:]
    var published: [SuppressedInput.Reason: Int] = [:]
    /// The number of inputs that were sent after the end, to wait for them, and were published.
    var publishedEnds = 0
  }

  static let notices: Set<LifecycleEvent.Kind> = [.didReceiveMemoryWarning, .systemWillSleep]
  private static let end = LifecycleEvent.Kind(rawValue: "soakDidEnd")

  private let busName: String
  private let faults: Faults
  private let state = Mutex(State())

  init(busName: String, _ faults: Faults) {
    self.busName = busName
    self.faults = faults
  }

  // MARK: Sending

  /// Sends an input.
  ///
  /// - Parameters:
  ///   - sender: The sender, which sends one input after the other.
  ///   - send: Sends the kind with the metadata; returns the reason of a suppression, and whether
  ///     every observer must have received the input.
  func send(
    _ kind: LifecycleEvent.Kind,
    from sender: String,
    by send: (LifecycleEvent.Kind, [String: String]) -> (SuppressedInput.Reason?, Bool)
  ) {
    guard Self.notices.contains(kind) else {
      note(send(kind, [:]).0)
      return
    }
    let number = state.withLock { $0.accepted[sender, default: 0] } + 1
    let (reason, isDelivered) = send(
      kind,
      ["bus": busName, "sender": sender, "number": "\(number)"]
    )
    note(reason)
    guard reason == nil else { return }
    let received = state.withLock { state in
      state.accepted[sender] = number
      return state.received[sender, default: 0]
    }
    faults.check(
      .whereObserversRun,
      !isDelivered || received == number,
      "\(kind) \(number) of \(sender) is delivered, but the last one received is \(received)"
    )
  }

  private func note(_ reason: SuppressedInput.Reason?) {
    guard let reason else { return }
    state.withLock { $0.outcomes[reason, default: 0] += 1 }
  }

  // MARK: Receiving

  /// Checks a notice. Call it with all events of the bus, in order.
  func receive(_ event: LifecycleEvent) {
    guard event.metadata["bus"] == busName, let sender = event.metadata["sender"],
      let number = event.metadata["number"].flatMap({ Int($0) })
    else { return }
    let last = state.withLock { state in
      defer { state.received[sender] = number }
      return state.received[sender, default: 0]
    }
    faults.check(
      .oneOrder,
      number == last + 1,
      "input \(number) of \(sender) is delivered after its input \(last)"
    )
  }

  /// Subscribes to the suppressed inputs of a bus. Call it before any input.
  func observeSuppressedInputs(of bus: some LifecycleBusProtocol, _ delivery: DeliveryCheck)
    -> AnyCancellable
  {
    bus.suppressedInputs.sink { [self] input in
      delivery.during {
        if faults.makes(.suppression), input.reason == .duplicate { return }
        state.withLock { state in
          state.published[input.reason, default: 0] += 1
          if input.kind == Self.end { state.publishedEnds += 1 }
        }
      }
    }
  }

  // MARK: The end

  /// Waits until a bus that has ended has delivered everything, including its completions: sends it
  /// an input, and waits until that is published as suppressed.
  func waitForRest(of bus: some LifecycleBusProtocol) async throws {
    let count = state.withLock { $0.publishedEnds }
    let outcome = bus.send(Self.end)
    faults.check(.theEnd, outcome == .suppressed(.terminated), "an input after the end: \(outcome)")
    note(outcome.suppressionReason)
    while state.withLock({ $0.publishedEnds }) == count {
      try await Task.sleep(for: .milliseconds(1))
    }
  }

  /// Checks the numbers of inputs of a bus that has ended.
  ///
  /// - Parameter isFed: Whether another bus sends inputs, too, whose outcomes are not known here.
  func checkEnd(of bus: some LifecycleBusProtocol, isFed: Bool) {
    let state = state.withLock { $0 }
    for (sender, accepted) in state.accepted {
      let received = state.received[sender, default: 0]
      faults.check(
        .whereObserversRun,
        received == accepted,
        "\(accepted) notices of \(sender) were accepted, and \(received) were delivered"
      )
    }
    for reason in SuppressedInput.Reason.allCases {
      let count = bus.suppressedCount(reason)
      let (published, outcomes) = (state.published[reason] ?? 0, state.outcomes[reason] ?? 0)
      faults.check(
        .noDoubleFire,
        published == count,
        "\(count) inputs are counted as \(reason), but \(published) are published"
      )
      // A fetch sends a notice, which is suppressed after the end of the bus.
      let isExact = !isFed && reason != .terminated
      faults.check(
        .noDoubleFire,
        isExact ? outcomes == count : outcomes <= count,
        "\(count) inputs are counted as \(reason), but \(outcomes) senders were notified"
      )
    }
  }
}
