import CustomDump
import Dispatch
import LifecycleTesting
import Testing

@testable import ReactiveLifecycle

/// The tables against plain arrays. A failure names its seed.
@Suite("Tables: random scripts")
struct TableRandomTests {
  private let core = BusCore(
    context: .sendingThread(DispatchQueue(label: "test")),
    clock: ManualClock()
  )

  private func row() -> ObserverRow { ObserverRow(core: core, kinds: .all, site: nil) }

  @Test("The observer table keeps who is alive, in order", arguments: 1...60 as ClosedRange<UInt64>)
  func observers(_ seed: UInt64) {
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

  @Test("The registration table keeps what is in it", arguments: 1...60 as ClosedRange<UInt64>)
  func registrations(_ seed: UInt64) {
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
