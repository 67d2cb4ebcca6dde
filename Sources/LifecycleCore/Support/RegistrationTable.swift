/// Elements in order of registration, each with a unique number.
///
/// Numbers only grow, so the table stays sorted. A removed element leaves a tombstone until half of
/// the table is empty.
///
/// - Complexity: Appending is O(1) amortized, removing the last element O(1), removing another one
///   O(log *n*).
package struct RegistrationTable<Element> {
  private var slots: [(id: Int, element: Element?)] = []
  private var nextID = 0
  private var emptyCount = 0
  /// The number of places, counted from the first, that the current sweep has yet to reach.
  private var remaining = 0

  package init() {}

  /// The number of places, including tombstones.
  package var slotCount: Int { slots.count }

  package mutating func append(_ makeElement: (Int) -> Element) -> Int {
    defer { nextID += 1 }
    slots.append((nextID, makeElement(nextID)))
    return nextID
  }

  package mutating func remove(_ id: Int) -> Element? {
    if let last = slots.last, last.id == id {
      slots.removeLast()
      removeEmptyEnd()
      return last.element
    }
    guard let position = position(of: id), let element = slots[position].element.take() else {
      return nil
    }
    emptyCount += 1
    if emptyCount > 32, emptyCount * 2 > slots.count {
      remaining = slots.prefix(remaining).count { $0.element != nil }
      slots.removeAll { $0.element == nil }
      emptyCount = 0
    }
    return element
  }

  /// Checks the next `count` places, and removes the elements there that have ended.
  ///
  /// A sweep runs from the end to the front, and then the next one begins. With four places per
  /// appended element, the ended elements eventually number no more than the others, plus a few.
  package mutating func sweep(_ count: Int, _ hasEnded: (Element) -> Bool) -> [Element] {
    var ended: [Element] = []
    for _ in 0..<min(count, slots.count) {
      remaining = min(remaining, slots.count)
      if remaining == 0 { remaining = slots.count }
      guard remaining > 0 else { break }
      remaining -= 1
      let (id, element) = slots[remaining]
      if let element, hasEnded(element) {
        _ = remove(id)
        ended.append(element)
      }
    }
    return ended
  }

  /// Removes the tombstones after the last element.
  private mutating func removeEmptyEnd() {
    while !slots.isEmpty, slots[slots.count - 1].element == nil {
      slots.removeLast()
      emptyCount -= 1
    }
  }

  private func position(of id: Int) -> Int? {
    let position = slots.indices.searchFirst { slots[$0].id >= id }
    return position < slots.count && slots[position].id == id ? position : nil
  }

  /// Empties the table, and returns the elements in order of registration.
  package mutating func removeAll() -> [Element] {
    defer {
      slots = []
      emptyCount = 0
      remaining = 0
    }
    // Not a key path: in generic code that is not optimized, it is made anew at each call.
    return slots.compactMap { $0.element }
  }

  /// The first result that is not nil, in order of registration, of those for the first `count`
  /// places.
  package func first<Result>(of count: Int, _ transform: (Element) -> Result?) -> Result? {
    for slot in slots.prefix(count) {
      if let element = slot.element, let result = transform(element) { return result }
    }
    return nil
  }

  package func filter(_ isIncluded: (Element) -> Bool) -> [Element] {
    slots.compactMap { slot in slot.element.flatMap { isIncluded($0) ? $0 : nil } }
  }
}
