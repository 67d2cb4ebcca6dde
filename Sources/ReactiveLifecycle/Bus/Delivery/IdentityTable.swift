/// The live observers that can be replaced, by the hashes of their identifiers.
struct IdentityTable {
  private var rows: [ObserverIdentity.Key: [ObserverRow]] = [:]

  /// The observers whose identifier may be equal to the key's.
  func candidates(for key: ObserverIdentity.Key) -> [ObserverRow] {
    rows[key, default: []]
  }

  mutating func insert(_ row: ObserverRow) {
    guard let key = row.identity?.key else { return }
    rows[key, default: []].append(row)
  }

  mutating func remove(_ row: ObserverRow) {
    guard let key = row.identity?.key else { return }
    rows[key]?.removeAll { $0 === row }
    if rows[key]?.isEmpty == true { rows[key] = nil }
  }
}
