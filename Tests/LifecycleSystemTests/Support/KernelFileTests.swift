import CustomDump
import Foundation
import LifecycleSupport
import TestSupport
import Testing

#if os(Linux)
  @Suite("Files of the kernel")
  struct KernelFileTests {
    @Test("Its text is read to the end, or up to 64 KiB", arguments: [0, 5, 65_536, 70_000])
    func text(count: Int) throws {
      let directory = TemporaryDirectory()
      let path = directory.path("file")
      try Data(repeating: UInt8(ascii: "a"), count: count).write(to: URL(filePath: path))
      expectNoDifference(KernelFile.text(at: path)?.utf8.count, min(count, 65_536))
    }

    @Test("What can't be opened or read has none", arguments: ["/proc/self/missing", "/proc/self"])
    func unreadable(path: String) {
      expectNoDifference(KernelFile.text(at: path), nil)
    }
  }
#endif
