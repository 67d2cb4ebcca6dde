import Dispatch
import LifecycleTesting
import Testing

@testable import ReactiveLifecycle

@Suite("Tables")
struct TableTests {
  private func rows(_ count: Int) -> [ObserverRow] {
    let core = BusCore(context: .sendingThread(DispatchQueue(label: "test")), clock: ManualClock())
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

  @Test("The registration table finds, removes and compacts")
  func registrations() {
    var table = RegistrationTable<Int>()
    let ids = (0..<1000).map { number in table.append { _ in number } }
    for id in ids where id % 3 != 0 { #expect(table.remove(id) == id) }
    for id in ids where id % 3 != 0 { #expect(table.remove(id) == nil) }
    #expect(table.remove(-1) == nil && table.remove(1000) == nil)
    #expect(!table.filter { _ in true }.isEmpty)
    let left = ids.filter { $0 % 3 == 0 }
    #expect(table.filter { _ in true } == left)
    #expect(table.append { _ in 1000 } == 1000)
    #expect(table.removeAll() == left + [1000])
    #expect(table.filter { _ in true }.isEmpty)
  }
}
