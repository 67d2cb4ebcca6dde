import CustomDump
import Foundation
import TestSupport
import Testing

@testable import LifecycleJournaling

/// Copies of damaged files where the system can't make one appear as a whole.
@Suite("Journal: copies under their name")
struct JournalCopyTests {
  private let folder = TemporaryDirectory()

  private func copy(_ flags: CInt = O_RDWR) throws -> Bool {
    try WholeFile.copyUnderName(OpenFile(folder.path("state"), flags), to: folder.path("copy"))
  }

  @Test("The copy has the same bytes")
  func sameBytes() throws {
    folder.write([1, 2, 3], to: "state")
    #expect(try copy())
    expectNoDifference(folder.bytes("copy"), [1, 2, 3])
  }

  @Test("A name that is taken meanwhile is left alone")
  func takenName() throws {
    folder.write([1, 2, 3], to: "state")
    folder.write([4], to: "copy")
    #expect(try !copy())
    expectNoDifference(folder.bytes("copy"), [4])
  }

  @Test("Of a copy that fails nothing is left")
  func failingCopy() {
    folder.write([1, 2, 3], to: "state")
    // It can't be read.
    #expect(throws: JournalFileError(errno: EBADF)) { try copy(O_WRONLY) }
    expectNoDifference(folder.names, ["state"])
  }
}
