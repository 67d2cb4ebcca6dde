/// The numbers of unnamed snapshots, separate for each test.
///
/// Numbers belong to places in the source, in the order in which the test first reaches them,
/// rather than to calls: a test that runs again in the same process gets the same numbers.
struct SnapshotNumbers {
  struct Test: Hashable {
    let filePath: String
    let function: String
  }

  struct Place: Equatable {
    let line: UInt
    let column: UInt
  }

  private struct Entry {
    var id: String?
    var places: [Place] = []
  }

  private var entries: [Test: Entry] = [:]

  /// - Parameter id: The identifier of the test, if known.
  /// - Returns: The number, from 1; nil if another test has a function of that name in that file.
  mutating func number(of place: Place, in test: Test, _ id: String?) -> Int? {
    var entry = entries[test] ?? Entry()
    if let known = entry.id, let id, known != id { return nil }
    entry.id = entry.id ?? id
    defer { entries[test] = entry }
    if let index = entry.places.firstIndex(of: place) { return index + 1 }
    entry.places.append(place)
    return entry.places.count
  }
}
