import CustomDump
import Foundation
import TestSupport
import Testing

@testable import LifecycleFlightRecording

extension FileErrorTests {
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
      (.unwritable(errno: EMFILE), "Too many open files."),
    ]
  )
  func advice(_ problem: FlightFileError.Problem, _ text: String) {
    let description = FlightFileError(problem, "flight").description
    #expect(description.hasPrefix("The recording flight can't be "))
    #expect(description.hasSuffix(": \(text)"), "\(description)")
  }

  @Test(
    "The directory and the name of a path",
    arguments: [
      ("flight", ".", "flight"), ("/flight", "/", "flight"), ("a/b/flight", "a/b", "flight"),
      ("/", "/", ""), ("", ".", ""),
    ]
  )
  func components(_ path: String, _ folder: String, _ name: String) {
    expectNoDifference(LifecycleFlightRecording.directory(of: path), folder)
    expectNoDifference(FlightRecording.Process.lastComponent(of: path), name)
  }

  @Test("A new file that a killed process with the same identifier has left is kept")
  func leftFile() throws {
    let directory = TemporaryDirectory()
    let left = "flight.new-\(getpid())-1"
    directory.write("left".utf8, to: left)
    try FlightRecording.sample.write(to: directory.path("flight"))
    expectNoDifference(directory.names, ["flight", left])
    expectNoDifference(directory.bytes(left), Array("left".utf8))
    #expect(try FlightFile(contentsOf: directory.path("flight")).recordings == [.sample])
  }
}
