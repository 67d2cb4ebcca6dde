import Foundation
import JobControl
import TestSupport

/// The compiler that built the tests, for code that must or must not compile.
struct Compiler {
  private let program: String

  /// Nil if there is no `swiftc` on the search path.
  init?() {
    let folders = ProcessInfo.processInfo.environment["PATH", default: ""].split(separator: ":")
    let candidates = folders.map { URL(filePath: String($0)).appending(path: "swiftc") }
    let found = candidates.first { FileManager.default.isExecutableFile(atPath: $0.path) }
    guard let found else { return nil }
    program = found.path
  }

  /// The errors in a piece of code that imports the modules; empty if it compiles.
  func errors(in code: String, importing modules: [String]) throws -> [String] {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "compile-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "Snippet.swift")
    try (modules.map { "import \($0)\n" }.joined() + code)
      .write(to: file, atomically: true, encoding: .utf8)
    let (status, text) = try runProgram(
      program,
      [
        "-typecheck", "-swift-version", "6", "-enable-upcoming-feature", "MemberImportVisibility",
      ] + searchPaths() + [file.path]
    )
    let errors = text.split(separator: "\n").filter { $0.contains(": error: ") }.map(String.init)
    guard (status == .exited(0)) == errors.isEmpty else { throw Failure(text: text) }
    return errors
  }

  /// The compiler said something that is no error in the code.
  struct Failure: Error, CustomStringConvertible {
    let text: String
    var description: String { "swiftc failed: \(text)" }
  }

  /// The package's modules, and the module maps of its C targets.
  private func searchPaths() throws -> [String] {
    let folder = URL(filePath: try builtProgramPath("thread-probe")).deletingLastPathComponent()
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let maps = names.filter { $0.hasSuffix(".build") }.sorted()
      .map { folder.appending(path: $0).appending(path: "module.modulemap").path }
      .filter { FileManager.default.fileExists(atPath: $0) }
    return ["-I", folder.appending(path: "Modules").path]
      + maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }
  }
}
