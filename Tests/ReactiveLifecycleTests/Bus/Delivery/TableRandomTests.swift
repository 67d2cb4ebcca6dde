import CustomDump
import Dispatch
import LifecycleTesting
import TestSupport
import Testing

@testable import ReactiveLifecycle

/// The tables against plain arrays. A failure names its seed.
@Suite("Tables: random scripts")
struct TableRandomTests {
  private let core = LifecycleBusCore(
    context: .sendingThread(DispatchQueue(label: "test")),
    clock: ManualClock()
  )

  private func row() -> ObserverRow { ObserverRow(core: core, kinds: .all, site: nil) }

  @Test("The observer table keeps who is alive, in order", arguments: 1...60 as ClosedRange<UInt64>)
  func observerTableKeepsWhoIsAlive(_ seed: UInt64) {
    var generator = Generator(seed, 1, 0)
    var table = ObserverTable()
    var living: [ObserverRow] = []
    var copy: ContiguousArray<ObserverRow>?
    var expectedCopy: [ObserverRow] = []
    for _ in 0..<600 {
      switch generator.next(below: 12) {
      case 0..<5:
        let row = row()
        table.append(row)
        living.append(row)
      case 5:
        // A delivery begins, or ends.
        copy = copy == nil ? table.rows : nil
        expectedCopy = Array(table.rows)
      default:
        guard !living.isEmpty else { continue }
        let position = [0, living.count - 1, generator.next(below: living.count)]
        let row = living.remove(at: position[generator.next(below: 3)])
        _ = row.endLife()
        let before = table.rows
        let wasLast = table.rows.last === row
        let garbage = table.noteDead(row, isShared: copy != nil)
        // What has left the table is handed out, to be released outside the lock.
        let left = Set(before.map(ObjectIdentifier.init))
          .subtracting(table.rows.map(ObjectIdentifier.init)).subtracting([ObjectIdentifier(row)])
        #expect(left.isSubset(of: garbage.map(ObjectIdentifier.init)), "seed \(seed)")
        #expect(table.rows.contains { $0 === row } == row.isInTable, "seed \(seed)")
        // Living rows are moved only when more than half are dead.
        let deadCount = before.count { !$0.isLive }
        let isCompacted = garbage.contains(where: \.isLive)
        #expect(!isCompacted || deadCount > 32 && deadCount * 2 > before.count, "seed \(seed)")
        if wasLast && copy == nil { #expect(!row.isInTable, "seed \(seed)") }
      }
      let alive = table.rows.filter(\.isLive)
      #expect(alive.elementsEqual(living, by: ===), "seed \(seed)")
      #expect(table.rows.count <= 2 * living.count + 33, "seed \(seed)")
      if let copy { #expect(copy.elementsEqual(expectedCopy, by: ===), "seed \(seed)") }
    }
    let all = table.removeAll()
    #expect(all.filter(\.isLive).elementsEqual(living, by: ===))
    #expect(all.allSatisfy { !$0.isInTable })
  }

  @Test(
    "Rows whose owners are gone are found: never more than three times those that lived, and a few",
    arguments: 1...60 as ClosedRange<UInt64>
  )
  func rowsOfGoneOwnersAreFound(_ seed: UInt64) {
    var generator = Generator(seed, 3, 0)
    var table = OwnerTable()
    var living: [(owner: Owner, row: OwnerRow)] = []
    let most = [1, 10, 100][generator.next(below: 3)]
    // A crowd that dies at once.
    var rowCount = 300
    for _ in 0..<rowCount {
      let owner = Owner()
      table.append(row(owner))
      withExtendedLifetime(owner) {}
    }
    for step in 0..<3_000 {
      let sample = table.sample()
      let owner = Owner()
      let registration = row(owner)
      table.append(registration)
      living.append((owner, registration))
      if living.count > most {
        let position = [0, living.count - 1, generator.next(below: living.count)]
        let (_, row) = living.remove(at: position[generator.next(below: 3)])
        // Cancelled, or left behind by its owner.
        if generator.next(below: 4) == 0 { table.remove(row) }
      }
      for row in [sample.first, sample.second].compactMap({ $0 }) where !row.isListed {
        table.remove(row)
      }
      rowCount = table.rows.count
      #expect(table.rows.indices.allSatisfy { table.rows[$0].place == Int32($0) }, "seed \(seed)")
      if step > 2_000 { #expect(rowCount <= 3 * (most + 1) + 2, "seed \(seed)") }
    }
    #expect(living.allSatisfy { $0.row.place >= 0 }, "seed \(seed)")
    table.removeAll()
    #expect(table.rows.isEmpty && living.allSatisfy { $0.row.place < 0 }, "seed \(seed)")
  }

  private func row(_ owner: Owner) -> OwnerRow {
    OwnerRow(
      core: core,
      kinds: .all,
      site: CallSite(fileID: "Test/Test.swift", filePath: "", line: 1, column: 1),
      identity: nil,
      owner: owner
    ) { _, _ in }
  }

  @Test("A sweep finds what has ended, and nothing else", arguments: 1...60 as ClosedRange<UInt64>)
  func sweepFindsWhatHasEnded(_ seed: UInt64) {
    var generator = Generator(seed, 4, 0)
    var table = RegistrationTable<Int>()
    var living: [Int] = []
    var ended: Set<Int> = []
    let most = [1, 10, 100][generator.next(below: 3)]
    for step in 0..<3_000 {
      let swept = table.sweep(4) { ended.contains($0) }
      #expect(ended.isSuperset(of: swept), "seed \(seed)")
      ended.subtract(swept)
      living.append(table.append { $0 })
      if living.count > most {
        let position = [0, living.count - 1, generator.next(below: living.count)]
        let id = living.remove(at: position[generator.next(below: 3)])
        if generator.next(below: 4) == 0 { _ = table.remove(id) } else { ended.insert(id) }
      }
      #expect(table.filter { !ended.contains($0) } == living, "seed \(seed)")
      if step > 1_000 { #expect(table.slotCount <= 4 * (most + 1) + 100, "seed \(seed)") }
    }
    expectNoDifference(table.removeAll().filter { !ended.contains($0) }, living, "seed \(seed)")
  }

  @Test("The registration table keeps what is in it", arguments: 1...60 as ClosedRange<UInt64>)
  func registrationTableKeepsWhatIsInIt(_ seed: UInt64) {
    var generator = Generator(seed, 2, 0)
    var table = RegistrationTable<Int>()
    var model: [(id: Int, element: Int)] = []
    var nextID = 0
    for step in 0..<600 {
      switch generator.next(below: 12) {
      case 0..<5:
        #expect(table.append { step + $0 } == nextID, "seed \(seed)")
        model.append((nextID, step + nextID))
        nextID += 1
      case 5:
        // Whatever it is, it may have left already.
        let id = generator.next(below: nextID + 2) - 1
        #expect(table.remove(id) == model.first { $0.id == id }?.element, "seed \(seed)")
        model.removeAll { $0.id == id }
      case 6 where generator.next(below: 40) == 0:
        #expect(table.removeAll() == model.map(\.element), "seed \(seed)")
        model = []
      default:
        guard !model.isEmpty else { continue }
        let position = [0, model.count - 1, generator.next(below: model.count)]
        let (id, element) = model.remove(at: position[generator.next(below: 3)])
        #expect(table.remove(id) == element, "seed \(seed)")
      }
      #expect(table.filter { _ in true } == model.map(\.element), "seed \(seed)")
    }
  }
}
