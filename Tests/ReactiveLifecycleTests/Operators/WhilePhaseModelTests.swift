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
    /// A value of the latest subscription, which was requested.
    case value
    /// A value of the latest subscription, and another from inside downstream's call.
    case values
    /// A value and a failure of the first subscription, which has been replaced.
    case stale
    case finish, fail, request, cancel, end
  }

  /// The rules.
  struct Oracle {
    private var isInside = false
    private(set) var isOver = false
    private var isSubscribed = false
    private var count = 0
    private var owed = 1

    /// Whether the input can come now.
    func allows(_ input: Input) -> Bool {
      switch input {
      case .arrive: !isInside
      case .leave: isInside
      case .value: isSubscribed && owed > 0
      case .values: isSubscribed && owed > 1
      case .stale: count > 1
      case .finish, .fail: isSubscribed
      case .request, .cancel, .end: true
      }
    }

    mutating func feed(_ input: Input) -> [String] {
      switch input {
      case .arrive:
        (isInside, isSubscribed) = (true, true)
        count += 1
        return ["subscribe \(count)"] + (owed > 0 ? ["ask max(\(owed))"] : [])
      case .leave:
        defer { (isInside, isSubscribed) = (false, false) }
        return isSubscribed ? ["cancel \(count)"] : []
      case .value:
        owed -= 1
        return ["1"]
      case .values:
        owed -= 2
        return ["2", "end of 2", "1"]
      case .stale: return []
      case .finish:
        isSubscribed = false
        return []
      case .fail:
        isOver = true
        return ["failed"]
      case .request:
        owed += 2
        return isSubscribed ? ["ask max(2)"] : []
      case .cancel:
        isOver = true
        return isSubscribed ? ["cancel \(count)"] : []
      case .end:
        isOver = true
        return (isSubscribed ? ["cancel \(count)"] : []) + ["finished"]
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
    downstream.onValue = { [unowned upstream] number in
      guard number == 2 else { return .none }
      upstream.send(1)
      trace("end of 2")
      return .none
    }
    upstream.whilePhase(.atLeast(.active), of: bus).subscribe(downstream)
    _ = trace.take()
    for input in inputs {
      switch input {
      case .arrive: bus.send(.didBecomeActive)
      case .leave: bus.send(.willResignActive)
      case .value: upstream.send(1)
      case .values: upstream.send(2)
      case .stale:
        upstream[1].send(ProbeValue(1))
        upstream[1].complete(.failure(.broken))
      case .finish: upstream.send(completion: .finished)
      case .fail: upstream.send(completion: .failure(.broken))
      case .request: downstream.request(.max(2))
      case .cancel: downstream.cancel()
      case .end: bus.send(.willTerminate)
      }
      if upstream.liveCount > 1 { trace("two subscriptions at once") }
    }
    defer { downstream.cancel() }
    return trace.lines
  }

  @Test("Every sequence up to length 7 does what the rules say")
  func everySequence() {
    var (count, failures) = (0, 0)
    func extend(_ inputs: [Input], _ lines: [String], _ oracle: Oracle) {
      guard failures < 3 else { return }
      guard inputs.count < 7, !oracle.isOver else {
        count += 1
        for kind in BusKind.allCases {
          let found = run(inputs, kind)
          guard found != lines else { continue }
          expectNoDifference(found, lines, "\(kind.testDescription) \(inputs)")
          failures += 1
        }
        return
      }
      for input in Input.allCases where oracle.allows(input) {
        var after = oracle
        let more = after.feed(input)
        extend(inputs + [input], lines + more, after)
      }
    }
    extend([], [], Oracle())
    #expect(failures > 0 || count > 1_500)
  }
}
