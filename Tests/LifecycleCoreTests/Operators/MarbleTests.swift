import CustomDump
import Foundation
import LifecycleBackgroundWork
import LifecycleCombine
import LifecycleCore
import LifecycleTesting
import TestSupport
import Testing

/// Plays the marble diagrams in the documentation, and expects what they show.
@MainActor
@Suite("Marble diagrams of the operators")
struct MarbleTests {
  private static let article = "LifecycleCore/Documentation.docc/Operators.md"

  @Test("gate does what its marble diagram shows", arguments: [".drop", ".latest", ".all"])
  func gate(_ row: String) throws {
    let run = try MarbleRun(Self.article, "### Hold values back")
    let buffering: LifecycleGateBuffering =
      switch row {
      case ".drop": .drop
      case ".latest": .latest
      default: .all(limit: 10, whenFull: .dropOldest)
      }
    run.play(run.upstream.gate(.foreground, of: run.bus, buffering: buffering), as: row)
  }

  @Test("whilePhase does what its marble diagram shows")
  func whilePhase() throws {
    let run = try MarbleRun(Self.article, "### Subscribe while")
    run.play(run.upstream.whilePhase(.foreground, of: run.bus))
  }

  @Test("settle does what its marble diagram shows")
  func settle() throws {
    let run = try MarbleRun(Self.article, "### Ignore short interruptions")
    let settled = run.bus.phases.settle(for: .seconds(2)).map(\.rawValue)
    run.play(settled, as: "settled", tick: .milliseconds(100))
  }

  @Test("dutyCycle does what its marble diagram shows")
  func dutyCycle() throws {
    let run = try MarbleRun("LifecycleBackgroundWork/DutyCycle/DutyCycle.swift")
    let host = InMemoryBackgroundTaskHost(clock: run.clock, remainingTime: nil)
    let tasks = BackgroundTaskCoordinator(host: host)
    let cycle = DutyCycle(burst: 3, rest: .seconds(12))
    var seen = 0
    run.play(run.upstream.dutyCycle(cycle, of: run.bus, tasks: tasks)) {
      for operation in host.operations.dropFirst(seen) {
        run.record(operation == .began("duty cycle") ? "╞" : "╡", in: "task")
        seen += 1
      }
    }
  }
}

/// Plays the inputs of a marble diagram in virtual time: each column is a moment.
///
/// The rows `phase`, `phases` and `upstream` are inputs: phases, and values, and `|` for the
/// completion. In the row `upstream`, `S` and `C` are outputs: upstream is subscribed to and
/// cancelled. `[34]` are two marbles of one moment.
@MainActor
private final class MarbleRun {
  struct Marble: Hashable, CustomStringConvertible {
    let column: Int
    let text: String

    var description: String { "\(column) \(text)" }
  }

  let clock = ManualClock()
  let bus: LifecycleBus
  private let source = PassthroughSubject<String, Never>()
  private var rows: [String: [Marble]] = [:]
  private var width = 0
  private var column = 0
  private var observed: [String: [Marble]] = [:]

  /// Reads the first diagram of a file, or of the section of an article.
  init(_ file: String, _ section: String? = nil) throws {
    bus = LifecycleBus(clock: clock)
    let root = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL
    let source = try String(
      contentsOf: root.appending(path: "Sources/\(file)"),
      encoding: .utf8
    )
    let lines = source.split(separator: "\n").map { Array($0.trimmingPrefix(#/ *///\ /#)) }
    let start = section.map(Array.init) ?? lines.first
    let diagram = lines.drop { $0 != start }.drop { $0 != Array("```text") }.dropFirst()
      .prefix { $0 != Array("```") }
    // The first row shows where the columns begin, behind the labels.
    let first = diagram.first ?? []
    let columns = first.count - first.drop { $0 != " " }.drop { $0 == " " }.count
    for line in diagram {
      rows[String(line.prefix { $0 != " " })] = Self.marbles(in: Array(line.dropFirst(columns)))
      width = max(width, line.count - columns)
    }
    try #require(width > 0, "No diagram in \(file)")
  }

  private static func marbles(in row: [Character]) -> [Marble] {
    var marbles: [Marble] = []
    var column = 0
    while column < row.count {
      let rest = row[column...]
      var length = 1
      switch row[column] {
      case "[":
        let group = rest.dropFirst().prefix { $0 != "]" }
        length = group.count + 2
        marbles += group.map { Marble(column: column, text: String($0)) }
      case let character where character.isLetter:
        length = rest.prefix(while: \.isLetter).count
        marbles.append(Marble(column: column, text: String(rest.prefix(length))))
      case "─", "═", "▶", " ": break
      case let character: marbles.append(Marble(column: column, text: String(character)))
      }
      column += length
    }
    return marbles
  }

  /// The values of the row `upstream`.
  var upstream: some Publisher<String, Never> {
    source.handleEvents(
      receiveSubscription: { [unowned self] _ in record("S", in: "upstream") },
      receiveCancel: { [unowned self] in record("C", in: "upstream") }
    )
  }

  func record(_ text: String, in row: String) {
    observed[row, default: []].append(Marble(column: column, text: text))
  }

  /// - Parameters:
  ///   - output: The publisher of the values of the row `result`.
  ///   - result: The label of the row.
  ///   - tick: The time from one column to the next.
  ///   - afterColumn: Called after the inputs of each column.
  func play(
    _ output: some Publisher<String, Never>,
    as result: String = "result",
    tick: Duration = .seconds(1),
    afterColumn: () -> Void = {}
  ) {
    applyInputs()
    let token = output.sink { [unowned self] _ in
      record("|", in: result)
    } receiveValue: { [unowned self] in
      record($0, in: result)
    }
    afterColumn()
    for next in 1..<width {
      column = next
      clock.advance(by: tick)
      applyInputs()
      afterColumn()
    }
    let observed = observed
    token.cancel()
    expectNoDifference(observed[result], rows[result])
    for (row, outputs) in [("upstream", "SC"), ("task", "╞╡")] {
      let shown = rows[row, default: []].filter { outputs.contains($0.text) }
      if !shown.isEmpty { expectNoDifference(observed[row], shown) }
    }
  }

  private func applyInputs() {
    for phase in inputs("phase") + inputs("phases") { move(to: LifecyclePhase(rawValue: phase)!) }
    for value in inputs("upstream") where !["S", "C"].contains(value) {
      if value == "|" { source.send(completion: .finished) } else { source.send(value) }
    }
  }

  private func inputs(_ label: String) -> [String] {
    rows[label, default: []].filter { $0.column == column }.map(\.text)
  }

  private func move(to phase: LifecyclePhase) {
    switch phase {
    case .active: bus.send(.didBecomeActive)
    case .inactive: bus.send(bus.phase == .active ? .willResignActive : .willEnterForeground)
    case .background:
      bus.send(bus.phase >= .background ? .didEnterBackground : .didFinishLaunching)
    case .terminated: bus.send(.willTerminate)
    case .unknown: preconditionFailure("No event leads to unknown.")
    }
  }
}
