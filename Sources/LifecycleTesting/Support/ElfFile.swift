#if os(Linux)
  /// The bytes of a 64-bit little-endian ELF file: a program or a library of Linux.
  ///
  /// Any bytes are safe to read: what is not there, or is no such file, has no symbols.
  ///
  /// The layout is that of `elf(5)`. https://man7.org/linux/man-pages/man5/elf.5.html
  struct ElfFile {
    private let bytes: UnsafeRawBufferPointer

    /// - Parameter bytes: The whole file. Must outlive this value.
    init?(_ bytes: UnsafeRawBufferPointer) {
      let identification: [UInt8] = [0x7F, 0x45, 0x4C, 0x46, Self.class64, Self.littleEndian]
      guard bytes.starts(with: identification) else { return nil }
      self.bytes = bytes
    }

    /// Returns the names of the symbols whose code begins at a place in the file.
    ///
    /// - Complexity: O(*n*), where *n* is the number of symbols.
    func symbolNames(atOffset offset: UInt64) -> [String] {
      guard let address = address(ofOffset: offset) else { return [] }
      let sections = sections
      return sections.filter { $0.integer(at: 4) == Self.symbolTable }.flatMap { table in
        let link = table.integer(at: 40, as: UInt32.self).flatMap { Int(exactly: $0) }
        guard let symbols = contents(of: table), let link, sections.indices.contains(link),
          let names = contents(of: sections[link])
        else { return [] as [String] }
        return symbols.records(of: 24)
          .filter { $0.integer(at: 8) == address && $0[4] & 0xF == Self.function }
          .compactMap { names.text(at: $0.integer(at: 0, as: UInt32.self)) }
      }
    }

    /// Returns the address for which the file is linked.
    private func address(ofOffset offset: UInt64) -> UInt64? {
      let segments = table(at: 32, recordSize: 56, sizeAt: 54, countAt: 56)
      for segment in segments where segment.integer(at: 0) == Self.loadedSegment {
        guard let start = segment.integer(at: 8, as: UInt64.self),
          let address = segment.integer(at: 16, as: UInt64.self),
          let size = segment.integer(at: 32, as: UInt64.self)
        else { continue }
        if offset >= start, offset - start < size { return address &+ (offset - start) }
      }
      return nil
    }

    private var sections: [UnsafeRawBufferPointer] {
      table(at: 40, recordSize: 64, sizeAt: 58, countAt: 60)
    }

    private func contents(of section: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
      bytes.slice(at: section.integer(at: 24), count: section.integer(at: 32))
    }

    /// Returns the records of a table, by what the file's header says at these places.
    private func table(
      at position: Int,
      recordSize: Int,
      sizeAt sizePosition: Int,
      countAt countPosition: Int
    ) -> [UnsafeRawBufferPointer] {
      guard let count = bytes.integer(at: countPosition, as: UInt16.self),
        bytes.integer(at: sizePosition, as: UInt16.self).map(Int.init) == recordSize,
        let table = bytes.slice(
          at: bytes.integer(at: position),
          count: UInt64(count) * UInt64(recordSize)
        )
      else { return [] }
      return Array(table.records(of: recordSize))
    }

    private static let class64: UInt8 = 2
    private static let littleEndian: UInt8 = 1
    private static let loadedSegment: UInt32 = 1
    private static let symbolTable: UInt32 = 2
    private static let function: UInt8 = 2
  }

  extension UnsafeRawBufferPointer {
    fileprivate func integer<Integer: FixedWidthInteger & BitwiseCopyable>(
      at position: Int,
      as type: Integer.Type = Integer.self
    ) -> Integer? {
      guard position <= count - MemoryLayout<Integer>.size else { return nil }
      return Integer(littleEndian: loadUnaligned(fromByteOffset: position, as: type))
    }

    fileprivate func slice(at position: UInt64?, count size: UInt64?) -> Self? {
      guard let position = position.flatMap({ Int(exactly: $0) }), position <= count,
        let size = size.flatMap({ Int(exactly: $0) }), size <= count - position
      else { return nil }
      return Self(rebasing: self[position..<position + size])
    }

    /// The whole records of this size.
    fileprivate func records(of size: Int) -> some Sequence<Self> {
      (0..<count / size).lazy.map { Self(rebasing: self[$0 * size..<($0 + 1) * size]) }
    }

    fileprivate func text(at position: UInt32?) -> String? {
      guard let start = position.flatMap({ Int(exactly: $0) }), start < count,
        let end = self[start...].firstIndex(of: 0)
      else { return nil }
      return String(validating: self[start..<end], as: UTF8.self)
    }
  }
#endif
