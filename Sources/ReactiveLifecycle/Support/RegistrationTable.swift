/// Elements in order of registration, each with a number of its own.
///
/// Appending is O(1) amortised, removing the last one O(1), another one O(log n): numbers only grow,
/// so the table stays sorted, and a removed element leaves a tombstone until half of the table is
/// empty.
struct RegistrationTable<Element> {
  private var slots: [(id: Int, element: Element?)] = []
  private var nextID = 0
  private var emptyCount = 0

  mutating func append(_ makeElement: (Int) -> Element) -> Int {
    defer { nextID += 1 }
    slots.append((nextID, makeElement(nextID)))
    return nextID
  }

  mutating func remove(_ id: Int) -> Element? {
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
      slots.removeAll { $0.element == nil }
      emptyCount = 0
    }
    return element
  }

  /// Removes the tombstones after the last element.
  private mutating func removeEmptyEnd() {
    while !slots.isEmpty, slots[slots.count - 1].element == nil {
      slots.removeLast()
      emptyCount -= 1
    }
  }

  private func position(of id: Int) -> Int? {
    var low = 0
    var high = slots.count
    while low < high {
      let middle = (low + high) / 2
      if slots[middle].id < id { low = middle + 1 } else { high = middle }
    }
    return low < slots.count && slots[low].id == id ? low : nil
  }

  /// Empties the table. The elements come in order of registration.
  mutating func removeAll() -> [Element] {
    defer {
      slots = []
      emptyCount = 0
    }
    return slots.compactMap(\.element)
  }

  func filter(_ isIncluded: (Element) -> Bool) -> [Element] {
    slots.compactMap { slot in slot.element.flatMap { isIncluded($0) ? $0 : nil } }
  }
}
