import CustomDump
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// Every sequence of what can happen to `whilePhase(_:of:)`, on a bus, compared with a list
/// of rules.
@MainActor
@Suite("While phase, every sequence")
struct WhilePhaseModelTests {
  enum Input: CaseIterable {
    case arrive, leave
    /// A value of the latest subscription, if it was asked for.
    case value
    /// A value of the latest subscription, from inside downstream's call.
    case values
    /// A value of the first subscription, whatever became of it.
    case staleValue
    case finish, fail, request, cancel
  }

  /// The rules.
  struct Oracle {
    private var isInside = false
    private(set) var isOver = false
    private var isSubscribed = false
    private var count = 0
    private var owed = 1

    /// Whether the input can do something.
    func minds(_ input: Input) -> Bool {
      switch input {
      case .arrive: !isInside
      case .leave: isInside
      case .value: isSubscribed && owed > 0
      case .values: isSubscribed && owed > 1
      case .staleValue: count > 1
      case .finish, .fail: isSubscribed
      case .request, .cancel: true
      }
    }

    mutating func feed(_ input: Input) -> [String] {
      guard !isOver else { return [] }
      switch input {
      case .arrive:
        guard !isInside else { return [] }
        isInside = true
        isSubscribed = true
        count += 1
        return ["subscribe \(count)"] + (owed > 0 ? ["ask max(\(owed))"] : [])
      case .leave:
        isInside = false
        defer { isSubscribed = false }
        return isSubscribed ? ["cancel \(count)"] : []
      case .value:
        guard isSubscribed, owed > 0 else { return [] }
        owed -= 1
        return ["1"]
      case .values:
        guard isSubscribed, owed > 1 else { return [] }
        owed -= 2
        return ["2", "end of 2", "1"]
      case .staleValue:
        return count == 1 ? feed(.value) : []
      case .finish:
        isSubscribed = false
        return []
      case .fail:
        guard isSubscribed else { return [] }
        isOver = true
        return ["failed"]
      case .request:
        owed += 2
        return isSubscribed ? ["ask max(2)"] : []
      case .cancel:
        isOver = true
        return isSubscribed ? ["cancel \(count)"] : []
      }
    }
  }

  /// Feeds the sequence to a real publisher.
  private func run(_ inputs: [Input], _ kind: BusKind) -> [String] {
    let bus = kind.make()
    bus.send(.willEnterForeground)
    let trace = Trace()
    let upstream = ProbePublisher(trace)
    let downstream = ProbeSubscriber(trace, demand: .max(1))
    downstream.onValue = { number in
      guard number == 2 else { return .none }
      upstream.send(1)
      trace("end of 2")
      return .none
    }
    defer { downstream.onValue = { _ in .none } }
    upstream.whilePhase(.atLeast(.active), of: bus).subscribe(downstream)
    _ = trace.take()
    for input in inputs {
      switch input {
      case .arrive: bus.send(.didBecomeActive)
      case .leave: bus.send(.willResignActive)
      case .value where upstream.count > 0 && upstream[upstream.count].asked > .none:
        upstream.send(1)
      case .values where upstream.count > 0 && upstream[upstream.count].asked > .max(1):
        upstream.send(2)
      case .staleValue
      where upstream.count > 0 && (upstream.count > 1 || upstream[1].asked > .none):
        upstream[1].send(ProbeValue(1))
      case .finish where upstream.count > 0: upstream.send(completion: .finished)
      case .fail where upstream.count > 0: upstream.send(completion: .failure(.broken))
      case .request: downstream.request(.max(2))
      case .cancel: downstream.cancel()
      default: break
      }
      if upstream.liveCount > 1 { trace("two subscriptions at once") }
    }
    defer { downstream.cancel() }
    return trace.lines
  }

  private func check(_ inputs: [Input]) {
    var oracle = Oracle()
    let expected = inputs.flatMap { oracle.feed($0) }
    for kind in BusKind.allCases {
      expectNoDifference(run(inputs, kind), expected, "\(kind.testDescription) \(inputs)")
    }
  }

  @Test("Every sequence up to length 3 does what the rules say")
  func everySequence() {
    for first in Input.allCases {
      for second in Input.allCases {
        for third in Input.allCases { check([first, second, third]) }
      }
    }
  }

  @Test("So does every sequence up to length 7 of inputs that do something")
  func everyLongSequence() {
    var count = 0
    func extend(_ inputs: [Input], _ oracle: Oracle) {
      guard inputs.count < 7, !oracle.isOver else {
        count += 1
        return check(inputs)
      }
      for input in Input.allCases where oracle.minds(input) {
        var after = oracle
        _ = after.feed(input)
        extend(inputs + [input], after)
      }
    }
    extend(
      [.arrive],
      {
        var oracle = Oracle()
        _ = oracle.feed(.arrive)
        return oracle
      }()
    )
    #expect(count > 1_500)
  }
}
