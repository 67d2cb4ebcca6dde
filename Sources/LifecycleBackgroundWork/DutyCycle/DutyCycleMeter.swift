import LifecycleSupport
import ReactiveLifecycle

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
/// - Complexity: Reading a property is O(*n*), where *n* is the number of open subscriptions.
public final class DutyCycleMeter: Sendable {
  enum Kind: Sendable {
    /// The time from subscribing upstream until the subscription was cancelled or completed.
    case upstream
    /// The time from subscribing to the operator until the subscription was cancelled or completed.
    case operation
  }

  private struct Opening {
    let kind: Kind
    let start: ContinuousInstant
    let clock: any LifecycleClock
  }

  private struct State {
    var closed: [Kind: Duration] = [:]
    var open: [Int: Opening] = [:]
    var lastNumber = 0
    var subscriptionCount = 0
    var restCount = 0
  }

  private let state = Locked(State())

  /// Creates a meter that shows zero.
  public init() {}

  /// The duration for which upstream was subscribed, including the current subscription.
  public var subscribedDuration: Duration { duration(of: .upstream) }

  /// The duration for which the operator was subscribed to, including the current subscription.
  public var observedDuration: Duration { duration(of: .operation) }

  /// The share of the observed time in which upstream was subscribed; 0 if no time was observed.
  public var subscribedShare: Double {
    let observed = observedDuration
    return observed > .zero ? min(subscribedDuration / observed, 1) : 0
  }

  /// The number of subscriptions to upstream.
  public var subscriptionCount: Int { state.withLock { $0.subscriptionCount } }

  /// The number of rests that have begun.
  public var restCount: Int { state.withLock { $0.restCount } }

  // MARK: For operators

  func countRest() {
    state.withLock { $0.restCount += 1 }
  }

  func open(_ kind: Kind, _ clock: any LifecycleClock) -> Span {
    let start = clock.continuous
    let number = state.withLock { state in
      state.lastNumber += 1
      state.open[state.lastNumber] = Opening(kind: kind, start: start, clock: clock)
      if kind == .upstream { state.subscriptionCount += 1 }
      return state.lastNumber
    }
    return Span(meter: self, number: number, clock: clock)
  }

  private func close(_ number: Int, at end: ContinuousInstant) {
    state.discard { state -> Opening? in
      guard let opening = state.open.removeValue(forKey: number) else { return nil }
      state.closed[opening.kind, default: .zero] += max(end - opening.start, .zero)
      return opening
    }
  }

  private func duration(of kind: Kind) -> Duration {
    let (closed, open) = state.withLock { state in
      (state.closed[kind] ?? .zero, state.open.values.filter { $0.kind == kind })
    }
    return open.reduce(closed) { $0 + max($1.clock.continuous - $1.start, .zero) }
  }

  /// A time span that is being measured. It ends when it is released, if it has not ended before.
  final class Span: Sendable {
    private let meter: DutyCycleMeter
    private let number: Int
    private let clock: any LifecycleClock

    fileprivate init(meter: DutyCycleMeter, number: Int, clock: any LifecycleClock) {
      self.meter = meter
      self.number = number
      self.clock = clock
    }

    deinit { end() }

    func end() { meter.close(number, at: clock.continuous) }
  }
}
