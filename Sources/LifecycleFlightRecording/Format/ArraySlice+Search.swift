import LifecycleSupport

extension ArraySlice<UInt8> {
  /// Returns the index of the first such byte; nil if there is none.
  ///
  /// - Complexity: O(*n*), at the speed of the memory also in code that is not optimized.
  func index(of byte: UInt8) -> Int? {
    withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress, let found = memchr(start, Int32(byte), bytes.count)
      else {
        return nil
      }
      return startIndex + start.distance(to: UnsafeRawPointer(found))
    }
  }
}
