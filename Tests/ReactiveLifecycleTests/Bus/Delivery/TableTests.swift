import CustomDump
import Dispatch
import LifecycleTesting
import Testing

@testable import ReactiveLifecycle

@Suite("Tables")
struct TableTests {
  private func rows(_ count: Int) -> [ObserverRow] {
    let core = LifecycleBusCore(
      context: .sendingThread(DispatchQueue(label: "test")),
      clock: ManualClock()
    )
    return (0..<count).map { _ in ObserverRow(core: core, kinds: .all, site: nil) }
  }

  @Test("The observer table lets go of removed rows, and keeps the order of the others")
  func observersAreCompacted() {
    var table = ObserverTable()
    let rows = rows(1000)
    for row in rows { table.append(row) }
    var released = 0
    for (number, row) in rows.enumerated() where number % 10 != 0 {
      _ = row.endLife()
      released += table.noteDead(row, isShared: false).count
    }
    #expect(released > 0)
    // Never more tombstones than live rows, but for a small remainder.
    #expect(table.rows.count <= 2 * 100 + 33)
    let living = rows.filter(\.isLive)
    #expect(table.rows.filter(\.isLive).elementsEqual(living, by: ===))
    #expect(table.removeAll().filter(\.isLive).elementsEqual(living, by: ===))
    #expect(table.rows.isEmpty)
  }

  @Test("A row that died before its turn in the table is not counted twice")
  func deadRowsAreCountedOnce() {
    var table = ObserverTable()
    let rows = rows(200)
    for row in rows { table.append(row) }
    // All end before the first is taken note of, as when several threads cancel.
    for row in rows.dropFirst() { _ = row.endLife() }
    for row in rows.dropFirst() { _ = table.noteDead(row, isShared: false) }
    let newcomers = self.rows(40)
    for row in newcomers { table.append(row) }
    #expect(table.rows.filter(\.isLive).elementsEqual([rows[0]] + newcomers, by: ===))
    #expect(table.rows.count <= 41 + 33 + 41)
  }

  @Test("The last row is removed at once, and its place is free")
  func lastRow() {
    var table = ObserverTable()
    let rows = rows(3)
    for row in rows { table.append(row) }
    for (count, row) in rows.enumerated().reversed() {
      _ = row.endLife()
      #expect(table.noteDead(row, isShared: false).isEmpty)
      #expect(!row.isInTable)
      #expect(table.rows.elementsEqual(rows.prefix(count), by: ===))
    }
  }

  @Test("Not while a copy is in use, which removing would have to copy")
  func lastRowOfSharedRows() {
    var table = ObserverTable()
    let rows = rows(3)
    for row in rows { table.append(row) }
    _ = rows[2].endLife()
    #expect(table.noteDead(rows[2], isShared: true).isEmpty)
    #expect(table.rows.elementsEqual(rows, by: ===))
    #expect(rows[2].isInTable)
    // Taken note of once: a second time it has no place to give up.
    _ = rows[1].endLife()
    _ = table.noteDead(rows[1], isShared: false)
    #expect(table.rows.first === rows[0])
    #expect(table.removeAll().elementsEqual(rows, by: ===))
    #expect(table.noteDead(rows[2], isShared: false).isEmpty)
  }

  @Test("Removing from the end leaves no more tombstones than removing elsewhere")
  func tombstonesBeforeTheLast() {
    var table = ObserverTable()
    let rows = rows(1000)
    for row in rows { table.append(row) }
    for row in rows.prefix(400) + rows.dropFirst(400).reversed() {
      _ = row.endLife()
      _ = table.noteDead(row, isShared: false)
    }
    #expect(table.rows.count <= 33)
  }

  @Test("The registration table takes the last out, and finds those before it")
  func lastRegistration() {
    var table = RegistrationTable<Int>()
    let ids = (0..<4).map { number in table.append { _ in number } }
    expectNoDifference(table.remove(ids[2]), 2)
    expectNoDifference(table.remove(ids[3]), 3)
    expectNoDifference(table.remove(ids[3]), nil)
    // Now the last of the table is a place that was given up.
    expectNoDifference(table.remove(ids[2]), nil)
    expectNoDifference(table.filter { _ in true }, [0, 1])
    expectNoDifference(table.append { $0 }, 4)
    expectNoDifference(table.remove(ids[1]), 1)
    expectNoDifference(table.removeAll(), [0, 4])
  }

  @Test("A sweep that leaves nothing in the registration table ends")
  func sweepOfEverything() {
    var table = RegistrationTable<Int>()
    let ids = (0..<33).map { _ in table.append { $0 } }
    expectNoDifference(table.remove(ids[0]), 0)
    expectNoDifference(table.sweep(100) { _ in true }, ids.dropFirst().reversed())
    expectNoDifference(table.slotCount, 0)
    #expect(table.sweep(100) { _ in true }.isEmpty)
    expectNoDifference(table.append { $0 }, 33)
  }

  @Test("The registration table finds, removes and compacts")
  func registrationTableFindsRemovesAndCompacts() {
    var table = RegistrationTable<Int>()
    let ids = (0..<1000).map { number in table.append { _ in number } }
    for id in ids where id % 3 != 0 { expectNoDifference(table.remove(id), id) }
    for id in ids where id % 3 != 0 { expectNoDifference(table.remove(id), nil) }
    #expect(table.remove(-1) == nil && table.remove(1000) == nil)
    #expect(!table.filter { _ in true }.isEmpty)
    let left = ids.filter { $0 % 3 == 0 }
    expectNoDifference(table.filter { _ in true }, left)
    expectNoDifference(table.append { _ in 1000 }, 1000)
    expectNoDifference(table.removeAll(), left + [1000])
    #expect(table.filter { _ in true }.isEmpty)
  }
}
