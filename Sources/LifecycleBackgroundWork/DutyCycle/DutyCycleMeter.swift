import LifecycleCombine
import LifecycleCore
import LifecycleSupport

/// A meter of the time for which the upstream of a duty cycle was subscribed: the battery cost of a
/// receiver or a sensor.
///
/// ```swift
/// let meter = DutyCycleMeter()
/// positions.dutyCycle(cycle, of: bus, tasks: tasks, meter: meter)
///   .sink { position in show(position) }
///   .store(in: scope)
/// ```
///
/// A meter that is used by several operators, or for several subscriptions, shows their sums.
/// Durations are measured on the continuous clock of the bus. Thread-safe.
///
/// - Complexity: Reading the duration is O(*n*), where *n* is the number of open subscriptions.
public final class DutyCycleMeter: Sendable {
  private struct Opening {
    let start: ContinuousInstant
    let clock: any LifecycleClock

    var duration: Duration { max(clock.continuous - start, .zero) }
  }

  private struct State {
    var closed = Duration.zero
    var open: [Int: Opening] = [:]
    var lastNumber = 0
  }

  private let state = Locked(State())

  /// Creates a meter that shows zero.
  public init() {}

  /// The duration for which upstream was subscribed, including the current subscription.
  public var subscribedDuration: Duration {
    let (closed, open) = state.withLock { ($0.closed, Array($0.open.values)) }
    return open.reduce(closed) { $0 + $1.duration }
  }

  // MARK: For operators

  func open(_ clock: any LifecycleClock) -> Span {
    let opening = Opening(start: clock.continuous, clock: clock)
    return state.withLock { state in
      state.lastNumber += 1
      state.open[state.lastNumber] = opening
      return Span(meter: self, number: state.lastNumber)
    }
  }

  private func close(_ number: Int) {
    guard let duration = state.withLock({ $0.open[number] })?.duration else { return }
    state.discard { state in
      let opening = state.open.removeValue(forKey: number)
      if opening != nil { state.closed += duration }
      return opening
    }
  }

  /// The time from subscribing upstream until the subscription was cancelled or completed. It ends
  /// when it is released, if it has not ended before.
  final class Span: Sendable {
    private let meter: DutyCycleMeter
    private let number: Int

    fileprivate init(meter: DutyCycleMeter, number: Int) {
      self.meter = meter
      self.number = number
    }

    deinit { end() }

    func end() { meter.close(number) }
  }
}

/// A subscriber between upstream and an operator, which measures how long upstream is subscribed.
struct MeteredLink<Input, Failure: Error>: Subscriber {
  let link: UpstreamLink<Input, Failure>
  let span: DutyCycleMeter.Span

  var combineIdentifier: CombineIdentifier { link.combineIdentifier }

  func receive(subscription: any Subscription) {
    link.receive(subscription: MeteredSubscription(subscription, span))
  }

  func receive(_ input: Input) -> Subscribers.Demand { link.receive(input) }

  func receive(completion: Subscribers.Completion<Failure>) {
    span.end()
    link.receive(completion: completion)
  }
}

private final class MeteredSubscription: Subscription {
  private let subscription: any Subscription
  private let span: DutyCycleMeter.Span

  init(_ subscription: any Subscription, _ span: DutyCycleMeter.Span) {
    self.subscription = subscription
    self.span = span
  }

  func request(_ demand: Subscribers.Demand) { subscription.request(demand) }

  func cancel() {
    subscription.cancel()
    span.end()
  }
}
