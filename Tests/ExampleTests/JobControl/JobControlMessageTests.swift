import CustomDump
import Testing

@testable import JobControl

@Suite("Job control: messages and texts of the kernel")
struct JobControlMessageTests {
  private static let launch = [
    "launch", "/tmp/lines", "background", "", "null", "lines", "null", "", "2 13", "1", "A", "b",
    "cat",
  ]

  @Test("A request arrives as it was sent, in pieces of any size", arguments: 1...9)
  func pieces(size: Int) throws {
    let command = try ShellCommand(fields: Self.launch)
    let bytes = ControlMessage.encode(command.fields) + ControlMessage.encode(["exit"])
    var reader = ControlMessageReader()
    var messages: [[String]] = []
    for start in stride(from: 0, to: bytes.count, by: size) {
      messages += try reader.receive(bytes[start..<min(start + size, bytes.count)])
    }
    #expect(try messages.map { try ShellCommand(fields: $0) } == [command, .exit])
  }

  @Test(
    "A request with an impossible field violates the protocol",
    arguments: [(9, "-1"), (9, "x"), (9, "9"), (2, "nowhere"), (4, "file"), (8, "x"), (8, " ")]
  )
  func violation(field: Int, text: String) {
    var fields = Self.launch
    fields[field] = text
    #expect(throws: JobControlError.self) { try ShellCommand(fields: fields) }
  }

  @Test("The texts of a process are read, or none if they are cut off")
  func snapshot() throws {
    let stat = "7 (a) b) S 1 2 3 0 -1 4194560 100 0 0 0 250 50 0 0 20 0 4 0 9\n"
    let status = "Name:\ta\n:\nno colon\nSigBlk:\t0000000000010000\nSigIgn:\t1\nSigCgt:\tff\n"
    let process = try #require(ProcessSnapshot(stat: stat, status: status))
    expectNoDifference(process.state, "S")
    expectNoDifference([process.parent, process.group, process.session], [1, 2, 3])
    expectNoDifference(process.threads, 4)
    expectNoDifference([process.blocked, process.ignored, process.caught], [0x10000, 1, 0xFF])
    expectNoDifference(process.processorTime, .seconds(3))
    expectNoDifference(ProcessSnapshot(stat: "7 (a) S 1 2 3", status: status), nil)
    expectNoDifference(ProcessSnapshot(stat: "", status: ""), nil)
  }

  @Test("Times that are too long for an integer are no trap")
  func longTimes() throws {
    let stat = "7 (a) S 1 2 3 0 0 0 0 0 0 0 \(Int.max) \(Int.max) 0 0 20 0 4 0 9\n"
    let process = try #require(ProcessSnapshot(stat: stat, status: ""))
    #expect(process.processorTime > .seconds(Int64.max / 100))
  }
}
