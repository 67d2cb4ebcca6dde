import CustomDump
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import TestSupport

/// Plays the inputs of a marble diagram in virtual time, and compares what an operator makes of
/// them.
@MainActor
final class MarbleRun {
  let clock = ManualClock()
  let bus: any LifecycleBusProtocol
  private let diagram: MarbleDiagram
  private let source = PassthroughSubject<String, Never>()
  private var column = 0
  private var observed: [String: [MarbleDiagram.Marble]] = [:]

  init(_ diagram: MarbleDiagram, _ kind: BusKind) {
    self.diagram = diagram
    bus = kind.make(clock: clock)
  }

  /// The values of the row `upstream`.
  var upstream: some Publisher<String, Never> {
    source.handleEvents(
      receiveSubscription: { [unowned self] _ in record("S", in: "upstream") },
      receiveCancel: { [unowned self] in record("C", in: "upstream") }
    )
  }

  func record(_ text: String, in row: String) {
    observed[row, default: []].append(MarbleDiagram.Marble(column: column, text: text))
  }

  /// Plays the diagram.
  ///
  /// - Parameters:
  ///   - output: The publisher of the values of the row `result`.
  ///   - tick: The time from one column to the next.
  ///   - result: The label of the row.
  ///   - afterColumn: Called after the inputs of each column.
  func play(
    _ output: some Publisher<String, Never>,
    tick: Duration = .seconds(1),
    result: String = "result",
    afterColumn: () -> Void = {}
  ) {
    applyInputs()
    let token = output.sink { [unowned self] _ in
      record("|", in: result)
    } receiveValue: { [unowned self] in
      record($0, in: result)
    }
    afterColumn()
    for next in 1..<diagram.width {
      column = next
      clock.advance(by: tick)
      applyInputs()
      afterColumn()
    }
    let rows = observed
    token.cancel()
    expectNoDifference(rows[result], diagram.row(result))
    let subscriptions = diagram.row("upstream").filter { ["S", "C"].contains($0.text) }
    if !subscriptions.isEmpty { expectNoDifference(rows["upstream"], subscriptions) }
    let tasks = diagram.row("task").filter { ["╞", "╡"].contains($0.text) }
    if !tasks.isEmpty { expectNoDifference(rows["task"], tasks) }
  }

  private func applyInputs() {
    for label in ["phase", "phases"] {
      for phase in inputs(label) { bus.send(kind(to: LifecyclePhase(rawValue: phase)!)) }
    }
    for event in inputs("events") { bus.send(LifecycleEvent.Kind(rawValue: event)) }
    for value in inputs("upstream") where !["S", "C"].contains(value) {
      if value == "|" { source.send(completion: .finished) } else { source.send(value) }
    }
  }

  private func inputs(_ label: String) -> [String] {
    diagram.row(label).filter { $0.column == column }.map(\.text)
  }

  private func kind(to phase: LifecyclePhase) -> LifecycleEvent.Kind {
    switch phase {
    case .active: .didBecomeActive
    case .inactive: bus.phase == .active ? .willResignActive : .willEnterForeground
    case .background: bus.phase >= .background ? .didEnterBackground : .didFinishLaunching
    case .terminated: .willTerminate
    case .unknown: preconditionFailure("No event leads to unknown.")
    }
  }
}
