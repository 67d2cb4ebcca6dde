/// Splits a stream of bytes into lines.
struct LineBuffer {
  private(set) var lines: [String] = []
  private var partial: [UInt8] = []

  mutating func receive(_ bytes: some Sequence<UInt8>) {
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        endLine()
      } else {
        partial.append(byte)
      }
    }
  }

  /// Keeps the bytes after the last line feed as a separate line.
  mutating func finish() {
    if !partial.isEmpty { endLine() }
  }

  private mutating func endLine() {
    lines.append(String(decoding: partial, as: UTF8.self))
    partial.removeAll(keepingCapacity: true)
  }
}
