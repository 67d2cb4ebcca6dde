import Dispatch
import LifecycleTesting
import TestSupport
import Testing

@testable import LifecycleCore

/// Random scripts on the tables of a bus, against plain arrays.
///
/// A failure names its seed; `LIFECYCLE_SEED=1234 swift test --filter TableTests` runs that seed
/// alone.
@Suite("Tables of a bus: random scripts")
struct TableTests {
  private static let seeds = TestSupport.seeds(15)

  private let core = LifecycleBusCore(
    context: .sendingThread(DispatchQueue(label: "test")),
    clock: ManualClock()
  )

  private func row() -> ObserverRow { ObserverRow(core: core, kinds: .all, site: nil) }

  private func require(_ isRight: Bool, _ seed: UInt64, at place: SourceLocation = #_sourceLocation)
    throws
  {
    try #require(isRight, "LIFECYCLE_SEED=\(seed)", sourceLocation: place)
  }

  /// The first, the last, or any: where tables go wrong.
  private func position(below count: Int, _ generator: inout Generator) -> Int {
    let any = generator.next(below: count)
    return [0, count - 1, any][generator.next(below: 3)]
  }

  @Test("The observer table keeps the living in order, and returns the rows that it removes")
  func observerTableKeepsWhoIsAlive() throws {
    for seed in Self.seeds {
      var generator = Generator(seed, 1, 0)
      var table = ObserverTable()
      var living: [ObserverRow] = []
      // What a delivery under way holds.
      var copy: ContiguousArray<ObserverRow>?
      var expectedCopy: [ObserverRow] = []
      for _ in 0..<600 {
        switch generator.next(below: 12) {
        case 0..<5:
          let row = row()
          table.append(row)
          living.append(row)
        case 5:
          copy = copy == nil ? table.rows : nil
          expectedCopy = Array(table.rows)
        default:
          // Several may end before the table takes note of the first, as when threads cancel.
          var ended: [ObserverRow] = []
          for _ in 0...generator.next(below: 3) where !living.isEmpty {
            ended.append(living.remove(at: position(below: living.count, &generator)))
          }
          for row in ended { _ = row.endLife() }
          for row in ended {
            let before = table.rows
            let wasLast = before.last === row
            let garbage = table.noteDead(row, isShared: copy != nil)
            let left = Set(before.map(ObjectIdentifier.init))
              .subtracting(table.rows.map(ObjectIdentifier.init))
              .subtracting([ObjectIdentifier(row)])
            try require(left.isSubset(of: garbage.map(ObjectIdentifier.init)), seed)
            try require(table.rows.contains { $0 === row } == row.isInTable, seed)
            // Living rows are moved only when more than half are dead.
            let deadCount = before.count { !$0.isLive }
            let isCompacted = garbage.contains(where: \.isLive)
            let isWorthIt = deadCount > 32 && deadCount * 2 > before.count
            try require(!isCompacted || isWorthIt, seed)
            if wasLast && copy == nil { try require(!row.isInTable, seed) }
          }
        }
        let alive = table.rows.filter(\.isLive)
        try require(alive.elementsEqual(living, by: ===), seed)
        try require(table.rows.count <= 2 * living.count + 33, seed)
        if let copy {
          try require(copy.elementsEqual(expectedCopy, by: ===), seed)
        }
      }
      let all = table.removeAll()
      try require(all.filter(\.isLive).elementsEqual(living, by: ===), seed)
      try require(all.allSatisfy { !$0.isInTable }, seed)
    }
  }

  @Test("The registration table keeps the living in order, and sweeps find the ended")
  func registrationTable() throws {
    for seed in Self.seeds {
      var generator = Generator(seed, 4, 0)
      var table = RegistrationTable<Int>()
      var living: [Int] = []
      var ended: Set<Int> = []
      var nextID = 0
      let most = [1, 10, 100][generator.next(below: 3)]
      for step in 0..<2_000 {
        let swept = table.sweep(4) { ended.contains($0) }
        try require(ended.isSuperset(of: swept), seed)
        ended.subtract(swept)
        try require(table.append { $0 } == nextID, seed)
        living.append(nextID)
        nextID += 1
        while living.count > most {
          let id = living.remove(at: position(below: living.count, &generator))
          if generator.next(below: 4) == 0 {
            try require(table.remove(id) == id, seed)
            try require(table.remove(id) == nil, seed)
          } else {
            ended.insert(id)
          }
        }
        try require(table.filter { !ended.contains($0) } == living, seed)
        if step > 1_000 {
          try require(table.slotCount <= 4 * (most + 1) + 100, seed)
        }
        if generator.next(below: 1_000) == 0 {
          try require(table.removeAll().filter { !ended.contains($0) } == living, seed)
          (living, ended) = ([], [])
        }
      }
      try require(table.remove(-1) == nil && table.remove(nextID) == nil, seed)
      try require(table.removeAll().filter { !ended.contains($0) } == living, seed)
      try require(table.sweep(100) { _ in true }.isEmpty, seed)
    }
  }
}
