extension String {
  /// Creates the text of bytes in UTF-8; nil if they are not. `init(validating:as:)` needs iOS 18.
  package init?(validUTF8 bytes: some Collection<UInt8>) {
    self.init(decoding: bytes, as: UTF8.self)
    // What is not UTF-8 was repaired.
    guard utf8.elementsEqual(bytes) else { return nil }
  }
}
