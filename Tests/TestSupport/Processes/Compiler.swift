import Foundation
import JobControl

/// The compiler that built the tests, for code that must or must not compile.
public struct Compiler: Sendable {
  private let program: String

  /// Nil if there is no `swiftc` on the search path.
  public init?() {
    let folders = ProcessInfo.processInfo.environment["PATH", default: ""].split(separator: ":")
    let candidates = folders.map { URL(filePath: String($0)).appending(path: "swiftc") }
    let found = candidates.first { FileManager.default.isExecutableFile(atPath: $0.path) }
    guard let found else { return nil }
    program = found.path
  }

  /// The errors in a piece of code that imports the modules; empty if it compiles.
  public func errors(in code: String, importing modules: [String]) throws -> [String] {
    try diagnostics(in: code, importing: modules).filter { $0.contains(": error: ") }
  }

  /// The errors and warnings in a piece of code that imports the modules.
  public func diagnostics(
    in code: String,
    importing modules: [String],
    options: [String] = ["-typecheck", "-enable-upcoming-feature", "MemberImportVisibility"]
  ) throws -> [String] {
    try withTemporaryFolder { folder in
      let file = folder.appending(path: "Snippet.swift")
      try (modules.map { "import \($0)\n" }.joined() + code)
        .write(to: file, atomically: true, encoding: .utf8)
      return try diagnostics(options + packageModules() + [file.path])
    }
  }

  /// The errors and warnings in a package's manifest.
  public func diagnostics(ofManifest file: String) throws -> [String] {
    let manifestAPI = URL(filePath: program).resolvingSymlinksInPath()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "lib/swift/pm/ManifestAPI")
    return try diagnostics([
      "-typecheck", "-package-description-version", "6.3", "-I", manifestAPI.path, file,
    ])
  }

  /// The errors and warnings in a program of several files, and in its tests.
  ///
  /// - Parameters:
  ///   - module: The name of the program's module.
  ///   - files: The paths of the program's files.
  ///   - tests: The paths of the files of its tests, which may import the program.
  public func diagnostics(
    ofProgram module: String,
    files: [String],
    tests: [String]
  ) throws -> [String] {
    let options = try ["-parse-as-library"] + packageModules()
    guard !tests.isEmpty else {
      return try diagnostics(["-typecheck", "-module-name", module] + options + files)
    }
    return try withTemporaryFolder { folder in
      let result = folder.appending(path: "\(module).swiftmodule").path
      let emission = ["-emit-module", "-enable-testing", "-module-name", module, "-o", result]
      let inProgram = try diagnostics(emission + options + files)
      let check = ["-typecheck", "-module-name", "\(module)Tests", "-I", folder.path]
      return try inProgram + diagnostics(check + options + tests)
    }
  }

  /// The compiler said something that is no error in the code.
  struct Failure: Error, CustomStringConvertible {
    let text: String
    var description: String { "swiftc failed: \(text)" }
  }

  private func diagnostics(_ arguments: [String]) throws -> [String] {
    let (status, text) = try runProgram(program, ["-swift-version", "6"] + arguments)
    let lines = text.split(separator: "\n").map(String.init)
    let errors = lines.filter { $0.contains(": error: ") }
    guard (status == .exited(0)) == errors.isEmpty else { throw Failure(text: text) }
    return lines.filter { $0.contains(": error: ") || $0.contains(": warning: ") }
  }

  /// The options that find the package's modules, and the module maps of its C targets.
  private func packageModules() throws -> [String] {
    let folder = URL(filePath: try builtProgramPath("thread-probe")).deletingLastPathComponent()
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let maps = names.filter { $0.hasSuffix(".build") }.sorted()
      .map { folder.appending(path: $0).appending(path: "module.modulemap").path }
      .filter { FileManager.default.fileExists(atPath: $0) }
    return ["-I", folder.appending(path: "Modules").path]
      + maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }
  }

  private func withTemporaryFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let directory = TemporaryDirectory()
    return try withExtendedLifetime(directory) { try body(directory.url) }
  }
}
