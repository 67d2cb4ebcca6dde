import Dispatch
import Foundation
import JobControl
import LifecycleCore
import TestSupport
import Testing

@testable import LifecycleSystem

extension SystemProcessTests {
  @Suite("Memory pressure by a socket", .serialized)
  struct MemorySocketTests {
    /// `some 200000 2000000` and a zero byte.
    private static let trigger = "c29tZSAyMDAwMDAgMjAwMDAwMAA="

    @Test("The service manager's trigger is sent to its socket, and its message is a warning")
    func message() async throws {
      let isReady = ThreadGate()
      let socket = try TestSocket { connection in
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = recv(connection, &bytes, bytes.count, 0)
        let isTrigger = bytes.prefix(max(count, 0)) == Array("some 200000 2000000\0".utf8)[...]
        isReady.wait()
        if isTrigger { send(connection, [UInt8(1)], 1, CInt(MSG_NOSIGNAL)) }
        // Open until the process closes it.
        while recv(connection, &bytes, bytes.count, 0) > 0 {}
      }
      defer { socket.remove() }
      try await withProbeSession { session in
        let probe = try session.launchSystemProbe(
          environment: [
            "MEMORY_PRESSURE_WATCH": socket.path, "MEMORY_PRESSURE_WRITE": Self.trigger,
          ]
        )
        #expect(probe.availability["memoryPressure"] == "available, by \(socket.path)")
        isReady.open()
        let warnings = try probe.lines(through: .didReceiveMemoryWarning).events
        #expect(warnings.map(\.memoryPressure) == [.medium])
      }
    }

    @Test("A socket whose other end leaves at once does not end the process")
    func peerLeaves() async throws {
      let socket = try TestSocket { _ in }
      defer { socket.remove() }
      try await withProbeSession { session in
        let probe = try session.launchSystemProbe(
          environment: [
            "MEMORY_PRESSURE_WATCH": socket.path, "MEMORY_PRESSURE_WRITE": Self.trigger,
          ]
        )
        _ = try probe.ping()
        // One to find out whether it works, and one to watch it.
        for _ in 0..<2 { #expect(socket.awaitConnection()) }
      }
    }
  }
}

/// What is refused before a process watches it.
@Suite("Memory pressure: interfaces that are refused")
struct PressureFilesTests {
  private let directory = TemporaryDirectory()

  private func failure(_ path: String) -> SystemFailure? {
    #expect(throws: SystemFailure.self) {
      try PressureFiles(PressureInterface(path: path, triggers: [.init(chosen: [])], text: ""))
        .close()
    }
  }

  @Test("A socket without a server is refused with the reason")
  func noServer() throws {
    let path = directory.path("socket")
    close(try UnixSocket.bind(.stream, to: path))
    let refusal = SystemFailure(path, reason: "\(path): Connection refused", errno: ECONNREFUSED)
    #expect(failure(path) == refusal)
  }

  @Test("A path that is too long for a socket is refused with the reason")
  func longPath() throws {
    let path = directory.path("socket")
    let long = directory.path(String(repeating: "n", count: 100))
    close(try UnixSocket.bind(.stream, to: path))
    try FileManager.default.moveItem(atPath: path, toPath: long)
    let refusal = SystemFailure(long, reason: "\(long) is too long a name for a socket")
    #expect(failure(long) == refusal)
  }
}

/// A stream socket of the test, in the place of the service manager's.
private final class TestSocket: Sendable {
  let path: String
  private let descriptor: CInt
  private let accepted = DispatchSemaphore(value: 0)
  private let ended = DispatchSemaphore(value: 0)

  /// Accepts connections until the socket is removed, each on a thread of its own, and closes each
  /// when the body has returned.
  init(_ body: @escaping @Sendable (CInt) -> Void) throws {
    path = "/tmp/lifecycle-\(UUID().uuidString.prefix(8))"
    descriptor = try UnixSocket.bind(.stream, to: path)
    guard listen(descriptor, 16) == 0 else { throw UnixSocket.lastError() }
    Thread.detachNewThread { [descriptor, accepted, ended] in
      while true {
        let connection = accept(descriptor, nil, nil)
        guard connection >= 0 else {
          // No more after shutdown(2).
          if errno == EINVAL { break }
          usleep(1_000)
          continue
        }
        // Swift does not show the call that does so at once.
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        accepted.signal()
        Thread.detachNewThread {
          body(connection)
          close(connection)
        }
      }
      ended.signal()
    }
  }

  /// Waits for a connection that was not waited for before.
  func awaitConnection() -> Bool { accepted.wait(timeout: .now() + .seconds(300)) == .success }

  func remove() {
    shutdown(descriptor, CInt(SHUT_RDWR))
    ended.wait()
    close(descriptor)
    unlink(path)
  }
}
