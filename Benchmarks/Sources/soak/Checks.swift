import Foundation
import IssueReporting
import LifecycleCombine
import LifecycleCore
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
      let count = bus.diagnostics.suppressedCounts[reason, default: 0]
      let (published, outcomes) = (state.published[reason] ?? 0, state.outcomes[reason] ?? 0)
      faults.check(
        .noDoubleFire,
        published == count,
        "\(count) inputs are counted as \(reason), but \(published) are published"
      )
      // The end, which may come twice, is not sent through this check.
      let isExact = !isFed && reason != .terminated
      faults.check(
        .noDoubleFire,
        isExact ? outcomes == count : outcomes <= count,
        "\(count) inputs are counted as \(reason), but \(outcomes) senders were notified"
      )
    }
  }
}

/// A subscriber that requests a few values now and then, from any thread (G10).
final class SlowSubscriber<Input: Sendable>: Subscriber, Sendable {
  typealias Failure = Never

  private struct State {
    var subscription: UncheckedSubscription?
    var isUnlimited = false
    var requested = 0
    var received = 0
    var last: Input?
    var isFinished = false
  }

  /// `@unchecked Sendable`: the bus's subscriptions can be used on any thread.
  private struct UncheckedSubscription: @unchecked Sendable {
    let value: any Subscription
  }

  private let state = Mutex(State())
  private let faults: Faults
  private let onValue: @Sendable (Input) -> Void
  private let onCompletion: @Sendable () -> Void

  init(
    _ faults: Faults,
    onValue: @escaping @Sendable (Input) -> Void,
    onCompletion: @escaping @Sendable () -> Void
  ) {
    self.faults = faults
    self.onValue = onValue
    self.onCompletion = onCompletion
  }

  var last: Input? { state.withLock { $0.last } }
  var isFinished: Bool { state.withLock { $0.isFinished } }

  func receive(subscription: any Subscription) {
    let subscription = UncheckedSubscription(value: subscription)
    state.withLock { $0.subscription = subscription }
  }

  /// Requests values.
  ///
  /// - Parameter count: The number of values; nil for all that are left.
  func request(_ count: Int?) {
    let subscription = state.withLock { state in
      if let count { state.requested += count } else { state.isUnlimited = true }
      return state.subscription
    }
    subscription?.value.request(count.map { .max($0) } ?? .unlimited)
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    let more = state.withLock { state in
      state.received += 1
      faults.check(
        .backPressure,
        state.isUnlimited || state.received <= state.requested,
        "received value \(state.received) of \(state.requested) that were requested"
      )
      let more = state.received % 3 == 0 ? 1 : 0
      state.requested += more
      state.last = input
      return more
    }
    let isLost = faults.makes(.backlog) && state.withLock { $0.received } == 2
    if !isLost { onValue(input) }
    return .max(more)
  }

  func receive(completion: Subscribers.Completion<Never>) {
    state.withLock { state in
      state.isFinished = true
      state.subscription = nil
    }
    onCompletion()
  }
}

/// A scope with a child, which several threads may end at once: its members are cancelled once, in
/// reverse order of insertion (G9).
final class ScopeCheck: Sendable {
  let scope = LifecycleScope("parent")
  private let child: LifecycleScope
  private let order = Mutex<[Int]>([])
  private let faults: Faults

  init(_ faults: Faults) {
    self.faults = faults
    child = LifecycleScope("child", parent: scope)
  }

  /// Adds the members. Not in `init`, as they capture this object.
  func fill() {
    // The child has its place since it was made.
    child.onEnd { self.note(5) }
    LifecycleCancellable { self.note(4) }.store(in: child)
    AnyCancellable { self.note(3) }.store(in: child)
    scope.onEnd { self.note(2) }
    LifecycleCancellable { self.note(1) }.store(in: scope)
  }

  private func note(_ number: Int) { order.withLock { $0.append(number) } }

  /// Checks the order. Call it when no thread ends the scope any longer.
  func checkEnd() {
    scope.end()
    let order = faults.makes(.scope) ? order.withLock { $0.reversed() } : order.withLock { $0 }
    faults.check(.scopes, child.isEnded, "the child has not ended with its parent")
    faults.check(.scopes, order == [1, 2, 3, 4, 5], "the order of the cancellations is \(order)")
  }
}

/// The check of an observer of returns: it receives the stay of the event in delivery, and the
/// value that it captured in its turn of the last `didEnterBackground` (G11).
final class ReturnCheck: Sendable {
  private struct State {
    var captured: Int?
    var captures = 0
  }

  private let state = Mutex(State())
  private let observed: ObservedBus
  private let faults: Faults

  init(of observed: ObservedBus, _ faults: Faults) {
    self.observed = observed
    self.faults = faults
  }

  /// Captures a number that is different each time.
  func capture() -> Int {
    observed.delivery.during {
      state.withLock { state in
        faults.check(.time, state.captured == nil, "captured twice in a stay")
        state.captures += 1
        state.captured = state.captures
        return state.captures
      }
    }
  }

  func receive(_ stay: BackgroundStay, _ captured: Int?) {
    receive(stay)
    let expected = state.withLock { $0.captured.take() }
    faults.check(
      .time,
      captured == expected,
      "received \(captured as Any), but captured \(expected as Any)"
    )
  }

  func receive(_ stay: BackgroundStay) {
    observed.delivery.during {
      // On the way up, the observer that was registered first has received the event.
      let event = observed.delivery.current
      faults.check(
        .time,
        event?.kind == .willEnterForeground && event?.backgroundStay == stay,
        "received the stay \(stay) in the delivery of \(event as Any)"
      )
    }
  }
}

/// The check of observers that replace one another: together they receive each event at most once,
/// in order, and the last one (G12).
final class ReplacementCheck: Sendable {
  private struct State {
    var last: LifecycleEvent?
    var hasObserver = false
  }

  /// The name of a scope with observers that replace one another.
  static let scopeName = "replacing"

  private let observed: ObservedBus
  private let faults: Faults
  private let state = Mutex(State())

  init(of observed: ObservedBus, _ faults: Faults) {
    self.observed = observed
    self.faults = faults
  }

  func receive(_ event: LifecycleEvent) {
    observed.delivery.during {
      check(event)
      if faults.makes(.replacement) { check(event) }
    }
  }

  private func check(_ event: LifecycleEvent) {
    state.withLock { state in
      faults.check(
        .sameObserverAgain,
        event.sequenceNumber > state.last?.sequenceNumber ?? 0,
        "received \(event) after \(state.last as Any)"
      )
      state.last = event
    }
  }

  /// Call it after a registration.
  func didRegister() {
    if !observed.hasEnded { state.withLock { $0.hasObserver = true } }
  }

  /// Checks that there is no more than one observer.
  func checkCount() {
    let count = observed.bus.diagnostics.liveSubscriptions.count {
      $0.location.scope == Self.scopeName
    }
    faults.check(.sameObserverAgain, count <= 1, "\(count) observers have the same identifier")
  }

  /// Checks what came last on a bus that ended when no observer was registered.
  func checkEnd() {
    // Not the whole state: the compiler (6.3.1) ends with a fatal error.
    let (last, hasObserver) = state.withLock { ($0.last?.kind, $0.hasObserver) }
    faults.check(
      .sameObserverAgain,
      !hasObserver || last == .willTerminate,
      "the last event was \(last as Any)"
    )
  }
}

/// The check of a subscriber of phases or of an operator: phases are one step apart and arrive at
/// the end, and events are in order.
final class OperatorCheck: Sendable {
  private struct State {
    var phase: LifecyclePhase?
    var number = 0
    var expectsEnd = false
  }

  private let state = Mutex(State())
  private let guarantee: Guarantee
  private let observed: ObservedBus
  private let faults: Faults
  private let canary: Canary

  init(
    _ guarantee: Guarantee,
    of observed: ObservedBus,
    _ faults: Faults,
    _ census: SharedCount
  ) {
    self.guarantee = guarantee
    self.observed = observed
    self.faults = faults
    canary = Canary(census)
  }

  /// Call it after the subscriber of phases has subscribed.
  func didSubscribe() {
    let hasEnded = observed.hasEnded
    state.withLock { $0.expectsEnd = !hasEnded }
  }

  func receive(_ phase: LifecyclePhase) {
    state.withLock { state in
      if let last = state.phase {
        faults.check(
          guarantee,
          PhaseOracle.edges.contains { ($0.from, $0.to) == (last, phase) },
          "the phase \(phase) after \(last)"
        )
      }
      state.phase = phase
    }
  }

  func receive(_ event: LifecycleEvent) {
    state.withLock { state in
      faults.check(
        guarantee,
        event.sequenceNumber > state.number,
        "event \(event.sequenceNumber) after \(state.number)"
      )
      state.number = event.sequenceNumber
    }
  }

  func checkEnd() {
    let state = state.withLock { $0 }
    faults.check(
      guarantee,
      !state.expectsEnd || state.phase == .terminated,
      "the last phase is \(state.phase as Any)"
    )
  }
}

/// The check of the reports of misuse: there are none.
struct IssueCheck: IssueReporter {
  let faults: Faults

  func reportIssue(
    _ message: @autoclosure () -> String?,
    severity: IssueSeverity,
    fileID: StaticString,
    filePath: StaticString,
    line: UInt,
    column: UInt
  ) {
    faults.check(.features, false, "reported at \(fileID):\(line): \(message() ?? "")")
  }
}
