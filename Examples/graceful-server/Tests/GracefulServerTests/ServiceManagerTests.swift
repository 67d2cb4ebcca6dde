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

  /// The text of the file, nil for none.
  private static let settings: [(text: String?, reason: String)] = [
    (#"{"greeting":"\ud800"}"#, "it is not JSON, or an escape is half of a surrogate pair"),
    (#"{"greeting":3}"#, "greeting: Expected to decode String but found number instead."),
    ("{}", "greeting is missing"),
    ("[]", "Expected to decode Dictionary<String, Any> but found an array instead."),
    (nil, "No such file or directory"),
  ]

  @Test("After a reload, the status is its outcome", arguments: settings)
  func statusOfReload(text: String?, reason: String) async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
    defer { try? FileManager.default.removeItem(at: file) }
    let fine = Data(#"{"greeting":"Hi"}"#.utf8)
    try fine.write(to: file)
    let manager = try ServiceManager()
    let server = try await RunningServer(
      "--settings",
      file.path(),
      environment: manager.environment
    )
    _ = try await manager.message(with: "READY=1")
    let kept = "Kept the settings: The settings \(file.path()) can't be used: \(reason)"
    for (text, status) in [
      (text.map { Data($0.utf8) }, kept), (fine, "Reloaded the settings"),
    ] {
      try? FileManager.default.removeItem(at: file)
      try text?.write(to: file)
      server.program.send(SIGHUP)
      _ = try await manager.message(with: "RELOADING=1")
      #expect(try await manager.message(with: "STATUS=") == ["STATUS=\(status)"])
      _ = try await manager.message(with: "READY=1")
    }
    server.program.send(SIGTERM)
    #expect(await server.program.end() == .signal(SIGTERM))
  }

  @Test("An empty path of the settings is an error of the command line")
  func emptyPath() async throws {
    let server = try RunningProgram("graceful-server", ["--settings", ""])
    #expect(await server.end() == .status(64))
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
