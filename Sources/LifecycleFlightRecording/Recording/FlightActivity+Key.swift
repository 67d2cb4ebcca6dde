extension FlightActivity {
  /// What identifies an activity within a recording.
  package struct Key: Hashable, Comparable {
    package let kind: Kind
    package let id: Int

    package static func < (first: Self, second: Self) -> Bool {
      (first.kind.rawValue, first.id) < (second.kind.rawValue, second.id)
    }
  }

  package var key: Key { Key(kind: kind, id: id) }
}

extension FlightActivity.Kind {
  /// Returns the kind in words, and the name, if there is one.
  package func title(_ name: String, count: Int = 1) -> String {
    let isOne = count == 1
    let words =
      switch self {
      case .countdown: isOne ? "countdown" : "countdowns"
      case .backgroundTask: isOne ? "background task" : "background tasks"
      case .fetch: isOne ? "fetch" : "fetches"
      }
    // One that began before the recording has none.
    return name.isEmpty ? words : "\(words) \"\(name)\""
  }
}
