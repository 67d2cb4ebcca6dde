import Foundation
import Testing

@Suite("Service manager", .serialized)
struct ServiceManagerTests {
  @Test("It is notified of the start, of a reload and of the end")
  func notified() async throws {
    let manager = try ServiceManager()
    let server = try await RunningServer(environment: manager.environment)
    _ = try await manager.message(with: "READY=1")
    server.program.send(SIGHUP)
    let reload = try await manager.message(with: "RELOADING=1")
    #expect(reload.contains { $0.hasPrefix("MONOTONIC_USEC=") })
    _ = try await manager.message(with: "READY=1")
    server.program.send(SIGTERM)
    let end = try await manager.message(with: "STOPPING=1")
    #expect(end.contains("STATUS=Stopping after SIGTERM"))
    #expect(await server.program.end() == .signal(SIGTERM))
  }

  @Test(
    "It serves although the manager's address is one that it can't use",
    .timeLimit(.minutes(2))
  )
  func unsupportedAddress() async throws {
    let server = try await RunningServer(environment: ["NOTIFY_SOCKET": "vsock:2:1234"])
    _ = try await server.get("/ready")
    server.program.send(SIGTERM)
    #expect(await server.program.end() == .signal(SIGTERM))
  }

  private static let analyzer = "/usr/bin/systemd-analyze"

  @Test(
    "systemd accepts the unit file",
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: analyzer),
      "there is no \(analyzer)"
    )
  )
  func unitFile() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let package = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL
    let unit = try String(
      contentsOf: package.appending(path: "graceful-server.service"),
      encoding: .utf8
    )
    let copy = folder.appending(path: "graceful-server.service")
    // The program of a unit has to be there.
    try unit.replacing("/usr/local/bin/graceful-server", with: "/bin/true")
      .write(to: copy, atomically: true, encoding: .utf8)
    // What is ignored is only written, and not in the status.
    let analysis = try RunningProgram(
      "/bin/sh",
      ["-c", "exec \(Self.analyzer) verify '\(copy.path())' 2>&1"]
    )
    let complaints = await analysis.allLines().filter { $0.contains("graceful-server.service") }
    #expect(complaints == [])
    #expect(await analysis.end() == .status(0))
  }
}
