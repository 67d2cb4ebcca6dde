import ReactiveLifecycle

/// A source that a script may connect.
struct SourceSpec: Sendable {
  let name: LifecycleSourceName
  let role: LifecycleRole
  /// Who it speaks for, to the reference; a ceiling speaks for itself.
  let participant: String?

  func voice(_ number: Int) -> ReferenceAggregate.Voice {
    participant.map { .participant($0) } ?? .ceiling(number)
  }

  static let all = [
    SourceSpec(name: "application", role: .presence, participant: "application"),
    SourceSpec(name: "A", role: .participant("A"), participant: "A"),
    SourceSpec(name: "A again", role: .participant("A"), participant: "A"),
    SourceSpec(name: "B", role: .participant("B"), participant: "B"),
    SourceSpec(name: "ceiling 1", role: .ceiling, participant: nil),
    SourceSpec(name: "ceiling 2", role: .ceiling, participant: nil),
  ]
}

/// What a script does next; sources are known by their place in `SourceSpec.all`, the program's own
/// `send` has none.
enum SourceAction: Hashable, CustomStringConvertible {
  case connect(Int)
  case disconnect(Int)
  case send(Int?, LifecycleEvent.Kind)

  var description: String {
    switch self {
    case .connect(let source): "connect \(SourceSpec.all[source].name)"
    case .disconnect(let source): "disconnect \(SourceSpec.all[source].name)"
    case .send(let source, let kind):
      "\(kind) by \(source.map { SourceSpec.all[$0].name.rawValue } ?? "own send")"
    }
  }
}

/// Time and text for the nth action: the clocks part, and the wall clock jumps.
func moment(_ step: Int) -> (LifecycleInstant, [String: String]) {
  let instant = LifecycleInstant(
    continuous: .boot + .seconds(10 * step),
    timeAwake: .seconds(7 * step),
    timeSince1970: .seconds(step.isMultiple(of: 3) ? 5 : 100 * step)
  )
  return (instant, ["step": "\(step)"])
}
