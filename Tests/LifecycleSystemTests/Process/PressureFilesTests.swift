import CustomDump
import Foundation
import TestSupport
import Testing

@testable import LifecycleSystem

@Suite("Memory pressure: the places")
struct PressureFilesTests {
  private let directory = TemporaryDirectory()

  private func failure(_ path: String) -> SystemFailure? {
    let place = PressurePlace(path: path, triggers: [.init(chosen: [])], text: "")
    do throws(SystemFailure) {
      try PressureFiles(place).close()
      return nil
    } catch {
      return error
    }
  }

  @Test("A socket without a server is refused with the reason")
  func noServer() throws {
    let path = directory.path("socket")
    close(try UnixSocket.bind(.stream, to: path))
    expectNoDifference(
      failure(path),
      SystemFailure(path, reason: "\(path): Connection refused", errno: ECONNREFUSED)
    )
  }

  @Test("A name that is too long for a socket is refused with the reason")
  func longName() throws {
    let path = directory.path("socket")
    let long = directory.path(String(repeating: "n", count: 100))
    close(try UnixSocket.bind(.stream, to: path))
    try FileManager.default.moveItem(atPath: path, toPath: long)
    expectNoDifference(
      failure(long),
      SystemFailure(long, reason: "\(long) is too long a name for a socket")
    )
  }
}
