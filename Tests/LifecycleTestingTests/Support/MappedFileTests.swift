import CustomDump
import Testing

@testable import LifecycleTesting

@Suite("The file at an address")
struct MappedFileTests {
  private let maps = """
    00400000-00452000 r-xp 00001000 08:02 173521      /usr/bin/tests
    00600000-00601000 rw-p 00000000 00:00 0
    e0000000-e0010000 r--p 00000000 08:02 135522                     /opt/my tests/lib.so
    f0000000-f0001000 r--p ffffffffffffffff 08:02 1   /wrong
    7fffb2c0d000-7fffb2c2e000 rw-p 00000000 00:00 0   [stack]
    nonsense
    10-zz r--p 0 0 0 /nonsense
    """

  @Test(
    "It is found with the place in it",
    arguments: [
      (0x3FFFFF, nil), (0x400000, "/usr/bin/tests 1000"), (0x451FFF, "/usr/bin/tests 52fff"),
      (0x452000, nil), (0x600000, nil), (0xE000_0010, "/opt/my tests/lib.so 10"),
      (0xF000_0000, "/wrong ffffffffffffffff"), (0xF000_0001, nil), (0x11, nil),
    ] as [(UInt64, String?)]
  )
  func place(_ address: UInt64, _ expected: String?) {
    let file = MappedFile(at: address, in: maps)
    expectNoDifference(file.map { "\($0.path) \(String($0.offset, radix: 16))" }, expected)
  }

  @Test("There are no symbols where there is no code")
  func noCode() {
    expectNoDifference(MappedFile.symbolNames(at: 0), [])
    expectNoDifference(MappedFile.symbolNames(at: .max), [])
    withUnsafePointer(to: maps) { pointer in
      let address = UInt64(UInt(bitPattern: pointer))
      expectNoDifference(MappedFile.symbolNames(at: address), [])
    }
  }
}
