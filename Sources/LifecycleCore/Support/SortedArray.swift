extension Range<Int> {
  /// Returns the first number that meets a condition, which all numbers after it meet as well; the
  /// upper bound if none does.
  ///
  /// - Complexity: O(log *n*).
  package func searchFirst(where condition: (Int) -> Bool) -> Int {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = low + (high - low) / 2
      if condition(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension Array {
  /// Inserts an element into a sorted array. The few elements of a list take less code so than
  /// sorting them.
  package mutating func insert(_ element: Element, by key: (Element) -> String) {
    insert(element, at: indices.searchFirst { key(self[$0]) > key(element) })
  }
}
