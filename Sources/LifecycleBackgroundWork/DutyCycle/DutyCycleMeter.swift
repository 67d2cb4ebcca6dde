import LifecycleSupport
import ReactiveLifecycle

/// How long the upstream of a duty cycle was subscribed: what a receiver or a sensor costs the
/// battery.
///
/// ```swift
/// let meter = DutyCycleMeter()
/// positions.dutyCycle(cycle, of: bus, tasks: tasks, meter: meter)
///   .sink { position in show(position) }
///   .store(in: scope)
/// ```
///
/// Given to several operators, or subscribed to several times, it shows their sums. Durations go by
/// the continuous clock of the bus. Everything can be read on any thread, in O(subscriptions that
/// are open).
public final class DutyCycleMeter: Sendable {
  enum Kind: Sendable {
    /// From subscribing upstream until it was cancelled, or has completed.
    case upstream
    /// From subscribing to the operator until it was cancelled, or has completed.
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

  /// A meter that shows zero.
  public init() {}

  /// How long upstream was subscribed, the current subscription included.
  public var subscribedDuration: Duration { duration(of: .upstream) }

  /// How long the operator was subscribed to, the current subscription included.
  public var observedDuration: Duration { duration(of: .operation) }

  /// The share of the time observed in which upstream was subscribed; 0 if no time was observed.
  public var subscribedShare: Double {
    let observed = observedDuration
    return observed > .zero ? min(subscribedDuration / observed, 1) : 0
  }

  /// How often upstream was subscribed to.
  public var subscriptionCount: Int { state.withLock { $0.subscriptionCount } }

  /// How many rests have begun.
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

  /// A time that is being measured. It ends when it is released, if not before.
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
