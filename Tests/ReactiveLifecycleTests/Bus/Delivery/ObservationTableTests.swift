import CustomDump
import Testing

@testable import ReactiveLifecycle

@Suite("Observations: the table")
struct ObservationTableTests {
  private static let kinds: [LifecycleEvent.Kinds] = [.all, .didEnterBackground, []]

  enum Input: Equatable {
    case join(Int), leave(Int), append(Int), remove(Int), deliver

    static let all: [Input] =
      (0..<3).map(Self.join) + (0..<3).map(Self.leave) + (0..<2).map(Self.append)
      + (0..<2).map(Self.remove) + [.deliver]
  }

  /// The observers by their kinds, and for each observation what it was told last.
  private struct Oracle {
    var observers = [0, 0, 0]
    var told: [Bool?] = [nil, nil]

    /// Whether somebody observes, for the observation of `kinds[number]`.
    func isObserved(_ number: Int) -> Bool {
      // An observer of no kind observes nothing; all the others have one in common.
      observers[0] + observers[1] > 0
    }

    mutating func changes() -> [String] {
      var lines: [String] = []
      for number in 0..<2 where told[number] != nil && told[number] != isObserved(number) {
        told[number] = isObserved(number)
        lines.append("\(number) \(isObserved(number))")
      }
      return lines
    }
  }

  @Test("Every sequence: in its turn each is told what has changed, and never misses its turn")
  func everySequence() {
    var count = 0
    func extend(
      _ table: ObservationTable,
      _ oracle: Oracle,
      _ ids: [Int?],
      _ waiting: [Int],
      _ past: [Input],
      _ depth: Int
    ) {
      count += 1
      guard depth > 0 else { return }
      for input in Input.all {
        var (table, oracle, ids, waiting) = (table, oracle, ids, waiting)
        var isWrong = false
        switch input {
        case .join(let kind):
          oracle.observers[kind] += 1
          waiting += table.observerDidJoin(Self.kinds[kind]).map(\.id)
        case .leave(let kind):
          guard oracle.observers[kind] > 0 else { continue }
          oracle.observers[kind] -= 1
          waiting += table.observerDidLeave(Self.kinds[kind]).map(\.id)
        case .append(let number):
          guard ids[number] == nil else { continue }
          let observed = (0..<3).flatMap { kind in
            Array(repeating: Self.kinds[kind], count: oracle.observers[kind])
          }
          let (id, call) = table.append(Self.kinds[number], observed: observed) { _ in }
          ids[number] = id
          waiting += call.map { [$0.id] } ?? []
          oracle.told[number] = false
        case .remove(let number):
          guard let id = ids[number] else { continue }
          let removed = table.remove(id)
          let again = table.remove(id)
          isWrong = removed == nil || again != nil
          ids[number] = nil
          oracle.told[number] = nil
        case .deliver:
          let changes = waiting.compactMap { id in
            table.takeChange(id).map { "\(ids.firstIndex(of: id)!) \($0)" }
          }
          waiting = []
          isWrong = changes.sorted() != oracle.changes()
        }
        if isWrong || table.isEmpty != ids.allSatisfy({ $0 == nil }) {
          Issue.record("\(past + [input])")
          return
        }
        extend(table, oracle, ids, waiting, past + [input], depth - 1)
      }
    }
    extend(ObservationTable(), Oracle(), [nil, nil], [], [], 5)
    #expect(count > 5_000)
  }

  @Test("Observers that end together, before the table knows, are each counted")
  func endTogether() throws {
    var machine = DispatchMachine()
    let core = NonisolatedLifecycleBus().core
    let rows = (0..<200).map { _ in ObserverRow(core: core, kinds: .all, site: nil) }
    for row in rows.prefix(100) { _ = machine.add(row, catchUp: .nothing) }
    let added = machine.addObservation(of: .all) { _ in }
    let id = try #require(added)
    for row in rows.dropFirst(100) { _ = machine.add(row, catchUp: .nothing) }
    let first = machine.observations.takeChange(id)
    expectNoDifference(first, true)
    for row in rows { _ = row.endLife() }
    for row in rows.dropLast() { _ = machine.remove(row, clearingHere: true) }
    let early = machine.observations.takeChange(id)
    expectNoDifference(early, nil)
    _ = machine.remove(rows[199], clearingHere: true)
    let last = machine.observations.takeChange(id)
    expectNoDifference(last, false)
  }

  @Test("Lists intersect if they have a kind in common, named or not")
  func intersections() {
    let own: LifecycleEvent.Kind = "observation-table"
    let lists: [(LifecycleEvent.Kinds, Set<LifecycleEvent.Kind>)] = [
      ([], []), (.didEnterBackground, [.didEnterBackground]), ([own], [own]),
      ([own, .willTerminate], [own, .willTerminate]),
      (.transitions, Set(LifecycleEvent.Kinds.transitions.listed!)),
    ]
    for (list, kinds) in lists {
      expectNoDifference(list.intersects(.all), !kinds.isEmpty)
      expectNoDifference(LifecycleEvent.Kinds.all.intersects(list), !kinds.isEmpty)
      for (other, others) in lists {
        expectNoDifference(list.intersects(other), !kinds.isDisjoint(with: others))
      }
    }
    #expect(LifecycleEvent.Kinds.all.intersects(.all))
  }
}
