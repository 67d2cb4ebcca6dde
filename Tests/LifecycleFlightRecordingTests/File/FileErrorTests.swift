import CustomDump
import Foundation
import LifecycleCore
import TestSupport
import Testing

@testable import LifecycleFlightRecording

@Suite("Recording files: errors")
struct FileErrorTests {
  private let directory = TemporaryDirectory()

  private func error(reading name: String) -> FlightFileError? {
    #expect(throws: FlightFileError.self) {
      try FlightFile(contentsOf: directory.path(name))
    }
  }

  private func error(writing path: String) -> FlightFileError? {
    #expect(throws: FlightFileError.self) { try FlightRecording.sample.write(to: path) }
  }

  @Test("Reading a missing or unreadable file is an error that names the reason")
  func unreadable() throws {
    expectNoDifference(error(reading: "none")?.problem, .missing)
    expectNoDifference(
      error(reading: "none")?.description,
      """
      The recording \(directory.path("none")) can't be read: there is no such file. Check the path.
      """
    )
    expectNoDifference(error(reading: ".")?.problem, .unreadable(errno: EISDIR))
    symlink("loop", directory.path("loop"))
    expectNoDifference(error(reading: "loop")?.problem, .unreadable(errno: ELOOP))
    expectNoDifference(
      FlightFileError(.missing, "").description,
      #"The recording "" can't be read: there is no such file. Check the path."#
    )
    #expect(throws: FlightFileError(.unreadable(errno: ENODEV), "/dev/zero")) {
      try FlightFile(contentsOf: "/dev/zero")
    }
  }

  @Test(
    "Reading a file that is no recording is an error that quotes its first line",
    arguments: [
      ("\n\r\n", "it has no line"),
      ("hello", #"line 1: it is not a JSON object: "hello""#),
      (#"{"format":"x"}"#, #"line 1: the field "format" is "x" instead of "lifecycle-recording""#),
      (
        #"{"format":"lifecycle-recording","version":0}"#,
        #"line 1: the field "version" is 0 instead of 1"#
      ),
      ("\u{1F}\u{202E}x", #"line 1: it is not a JSON object: "\u{1F}\u{202E}x""#),
    ]
  )
  func notARecording(_ text: String, _ reason: String) {
    directory.write(text.utf8, to: "file")
    guard case .notARecording(let found) = error(reading: "file")?.problem else {
      Issue.record("another error")
      return
    }
    #expect(found.hasPrefix(reason), "\(found)")
  }

  @Test("Reading a later version of the format is an error that asks for a later library")
  func laterVersion() {
    let text = sampleLines.replacing(#""version":1"#, with: #""version":2"#)
    directory.write(text.utf8, to: "file")
    expectNoDifference(error(reading: "file")?.problem, .laterVersion(2))
    expectNoDifference(
      error(reading: "file")?.description,
      """
      The recording \(directory.path("file")) has version 2 of the format, and this program reads \
      version 1. Read it with a later version of swift-reactive-lifecycle.
      """
    )
  }

  @Test("Writing where no file can be is an error, and leaves nothing behind")
  func unwritable() {
    expectNoDifference(error(writing: directory.path)?.problem, .unwritable(errno: EISDIR))
    expectNoDifference(
      error(writing: directory.path("a/b"))?.description,
      """
      The recording \(directory.path("a/b")) can't be written: No such file or directory. Create \
      the directory \(directory.path("a")) first.
      """
    )
    #if os(Linux)
      expectNoDifference(error(writing: "/dev/full")?.problem, .unwritable(errno: ENOSPC))
    #endif
    expectNoDifference(directory.names, [])
  }

  @Test("Written anew, a file keeps its permissions, and a symbolic link leads to the new one")
  func replaced() throws {
    let path = directory.path("file")
    directory.write("old".utf8, to: "file")
    chmod(path, 0o640)
    symlink("file", directory.path("link"))
    let old = FileHandle(forReadingAtPath: path)
    try FlightRecording.sample.write(to: directory.path("link"))
    #expect(try FlightFile(contentsOf: path).recordings == [.sample])
    let permissions = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
    expectNoDifference(permissions as? Int, 0o640)
    // Who has it open reads the old one.
    #expect(try old?.readToEnd() == Data("old".utf8))
    expectNoDifference(directory.names, ["file", "link"])
    try FlightRecording.sample.write(to: directory.path("new"))
    let new = try FileManager.default.attributesOfItem(atPath: directory.path("new"))
    expectNoDifference(new[.posixPermissions] as? Int, 0o600)
  }

  @Test("A file that can't be replaced is unchanged")
  func oldFileIsKept() {
    // So long that the new file can't have a name beside it.
    let name = String(repeating: "a", count: 250)
    directory.write("old".utf8, to: name)
    expectNoDifference(
      error(writing: directory.path(name))?.problem,
      .unwritable(errno: ENAMETOOLONG)
    )
    expectNoDifference(directory.names, [name])
    expectNoDifference(directory.bytes(name), Array("old".utf8))
  }

  @Test("A symbolic link that leads nowhere is replaced")
  func danglingLink() throws {
    let link = directory.path("link")
    symlink("nothing", link)
    try FlightRecording.sample.write(to: link)
    expectNoDifference(directory.names, ["link"])
    #expect(try FlightFile(contentsOf: link).recordings == [.sample])
  }

  @Test("Reading a file of more than 1 GB is an error")
  func tooLarge() throws {
    directory.write([], to: "huge")
    expectNoDifference(truncate(directory.path("huge"), (1 << 30) + 1), 0)
    // Not every file system supports this.
    _ = truncate(directory.path("huge"), 10 << 40)
    expectNoDifference(error(reading: "huge")?.problem, .unreadable(errno: EFBIG))
    expectNoDifference(
      error(reading: "huge")?.description,
      """
      The recording \(directory.path("huge")) can't be read: File too large. Split the file between \
      two of its lines.
      """
    )
  }

  @Test("A recording is read through a pipe")
  func pipe() throws {
    mkfifo(directory.path("pipe"), 0o600)
    let path = directory.path("pipe")
    let thread = Thread { try? FlightRecording.sample.write(to: path) }
    thread.start()
    #expect(try FlightFile(contentsOf: path).recordings == [.sample])
  }

  @Test("A pipe whose reader goes away is an error, and does not end the process")
  func pipeWithoutReader() async {
    await #expect(processExitsWith: .success) {
      signal(SIGPIPE, SIG_DFL)
      let directory = TemporaryDirectory()
      let path = directory.path("pipe")
      mkfifo(path, 0o600)
      let reader = open(path, O_RDONLY | O_NONBLOCK)
      var recording = FlightRecording.sample
      // More than a pipe has room for.
      recording.process.name = String(repeating: "a", count: 1 << 20)
      let thread = Thread {
        var byte: UInt8 = 0
        while read(reader, &byte, 1) <= 0 { usleep(1_000) }
        close(reader)
      }
      thread.start()
      #expect(throws: FlightFileError(.unwritable(errno: EPIPE), path)) {
        try recording.write(to: path)
      }
    }
  }

  @Test(
    "The advice depends on the error number",
    arguments: [
      (
        FlightFileError.Problem.unreadable(errno: EACCES),
        "Permission denied. Allow this user to read the file, and to enter its directory."
      ),
      (.unreadable(errno: EISDIR), "Is a directory. Pass the path of a file in it."),
      (
        .unwritable(errno: EACCES),
        """
        Permission denied. Allow this user to write the file and its directory, or choose another \
        path.
        """
      ),
      (
        .unwritable(errno: EROFS), "Read-only file system. Choose a path on a writable file system."
      ),
    ]
  )
  func advice(_ problem: FlightFileError.Problem, _ text: String) {
    let description = FlightFileError(problem, "flight").description
    #expect(description.hasPrefix("The recording flight can't be "))
    #expect(description.hasSuffix(": \(text)"), "\(description)")
  }

  @Test("A new file that a killed process with the same identifier has left is kept")
  func leftFile() throws {
    let left = "flight.new-\(getpid())-1"
    directory.write("left".utf8, to: left)
    try FlightRecording.sample.write(to: directory.path("flight"))
    expectNoDifference(directory.names, ["flight", left])
    expectNoDifference(directory.bytes(left), Array("left".utf8))
    #expect(try FlightFile(contentsOf: directory.path("flight")).recordings == [.sample])
  }
}
