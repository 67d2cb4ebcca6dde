/// A saved value as it is to be recorded.
struct SavedValueChange {
  let value: SavedValue
  /// The encoded value; nil if there is none.
  let bytes: [UInt8]?
}

extension JournalRecord {
  /// Sets the values for which there is room.
  ///
  /// - Returns: The others, each with an error.
  mutating func save(
    _ changes: [SavedValueChange]
  ) -> [(SavedValue, LifecycleJournal.WriteError)] {
    guard !changes.isEmpty else { return [] }
    let capacity = Self.valueCapacity
    let (values, refused) = values.setting(
      changes.map { ($0.value.key, $0.bytes) },
      capacity: capacity
    )
    self.values = values
    return refused.map { index in
      let (value, size) = (changes[index].value, changes[index].bytes?.count ?? 0)
      let room = values.room(forKey: value.key, capacity: capacity)
      return (value, .tooLarge(key: value.key, size: size, room: room))
    }
  }
}
