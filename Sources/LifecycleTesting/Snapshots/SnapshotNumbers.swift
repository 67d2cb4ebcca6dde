/// Numbers the snapshots without a name, each test for itself.
///
/// Places in the source have numbers, in the order in which the test comes to them first, not calls: a test
/// that is run again in the same process meets the same numbers.
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

  /// - Parameter id: Which test that is, if it is known.
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
