#if os(Linux)
  import TestSupport

  @testable import LifecycleTesting

  extension FuzzTarget {
    /// A program or a library, after two bytes that are an offset in it; and one that is made of
    /// the same bytes.
    static let elf = FuzzTarget("elf") { bytes in
      guard bytes.count >= 2 else { return nil }
      let offset = UInt64(bytes[0]) | UInt64(bytes[1]) << 8
      let file = Array(bytes.dropFirst(2))
      for name in names(in: file, atOffset: offset) {
        guard file.firstRange(of: Array(name.utf8) + [0]) != nil else {
          return "\(name) is not in the file"
        }
      }
      return imageFault(FuzzChoices(file))
    }

    private static func imageFault(_ choices: FuzzChoices) -> String? {
      var choices = choices
      var symbols: [(name: String, number: UInt64)] = []
      while !choices.isEmpty, symbols.count < 16 {
        // The places in the loaded segment.
        let number = 4 + UInt64(choices.number(UInt8.self) % 16)
        symbols.append((choices.text(), number))
      }
      let image = ElfImage(symbols: symbols).bytes
      for number in 4..<UInt64(20) {
        let found = names(in: image, atOffset: number * 16)
        let expected = symbols.filter { $0.number == number }.map(\.name)
        guard found == expected else { return "\(found) at \(number) instead of \(expected)" }
      }
      return nil
    }

    private static func names(in file: [UInt8], atOffset offset: UInt64) -> [String] {
      file.withUnsafeBytes { ElfFile($0)?.symbolNames(atOffset: offset) ?? [] }
    }
  }
#endif
