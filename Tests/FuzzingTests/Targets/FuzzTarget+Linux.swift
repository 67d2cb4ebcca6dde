#if os(Linux)
  @testable import LifecycleSystem
  @testable import LifecycleTesting

  extension FuzzTarget {
    /// The texts of `/proc/self/cgroup` and `/proc/self/mountinfo`, which a zero separates.
    static let controlGroup = FuzzTarget("control-group") { bytes in
      let texts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
        .map { String(decoding: $0, as: UTF8.self) }
      guard texts.count == 2 else { return nil }
      let group = ControlGroup(groups: texts[0], mounts: texts[1])
      return group?.folder.contains("\n") == true ? "a folder of several lines" : nil
    }

    /// A program or a library, after two bytes that are an offset in it.
    static let elf = FuzzTarget("elf") { bytes in
      guard bytes.count >= 2 else { return nil }
      let offset = UInt64(bytes[0]) | UInt64(bytes[1]) << 8
      let names = Array(bytes.dropFirst(2)).withUnsafeBytes { file in
        ElfFile(file)?.symbolNames(atOffset: offset)
      }
      let isTooLong = names?.contains { $0.utf8.count > bytes.count } == true
      return isTooLong ? "a name of too many bytes" : nil
    }
  }
#endif
