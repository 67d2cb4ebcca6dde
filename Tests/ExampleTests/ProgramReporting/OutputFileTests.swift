import CustomDump
import Foundation
import ProgramReporting
import TestSupport
import Testing

@Suite("Files that programs write")
struct OutputFileTests {
  @Test("A file is written although a killed run with the same process ID left temporary files")
  func remainsOfAnotherRun() throws {
    let directory = TemporaryDirectory()
    let remains = (1...3).map { "page.\(getpid())-\($0)~" }
    for name in remains { directory.write("old".utf8, to: name) }
    try OutputFile.check(directory.path("page"))
    try OutputFile.write("new", to: directory.path("page"))
    expectNoDifference(directory.names, ["page"] + remains)
    expectNoDifference(directory.bytes("page"), Array("new".utf8))
    for name in remains { expectNoDifference(directory.bytes(name), Array("old".utf8)) }
  }

  @Test("A folder as an output file is refused by the check and by the write")
  func folder() throws {
    let directory = TemporaryDirectory()
    let path = directory.path
    let checking = #expect(throws: OutputFile.Failure.self) { try OutputFile.check(path) }
    expectNoDifference(checking?.description, "cannot create \(path): Is a directory")
    expectNoDifference(checking?.status, 73)
    let writing = #expect(throws: OutputFile.Failure.self) {
      try OutputFile.write("new", to: path)
    }
    expectNoDifference(writing, checking)
    let link = directory.path("link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    #expect(throws: OutputFile.Failure.self) { try OutputFile.check(link) }
  }
}
