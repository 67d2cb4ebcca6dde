import Foundation
import JobControl

/// Where the build has put a program.
///
/// The tests run in an executable of the build directory, or in a helper that is given a bundle
/// there; the program lies beside one of them or in a directory above.
public func builtProgramPath(_ name: String) throws -> String {
  let hints = [currentExecutablePath(), Bundle.main.executablePath ?? ""] + CommandLine.arguments
  for hint in hints where hint.contains("/") {
    var directory = URL(fileURLWithPath: hint).standardizedFileURL
    for _ in 0..<5 where directory.path != "/" {
      directory.deleteLastPathComponent()
      let candidate = directory.appendingPathComponent(name).path
      if FileManager.default.isExecutableFile(atPath: candidate) { return candidate }
    }
  }
  throw ProgramNotFound(name: name, hints: hints)
}

struct ProgramNotFound: Error {
  var name: String
  var hints: [String]
}

/// Runs a program and waits for it. Returns its status, and its output and diagnostics together.
public func runProgram(
  _ path: String,
  _ arguments: [String] = []
) throws -> (status: Int32, text: String) {
  let process = Process()
  let pipe = Pipe()
  process.executableURL = URL(filePath: path)
  process.arguments = arguments
  process.standardOutput = pipe
  process.standardError = pipe
  try process.run()
  let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
  process.waitUntilExit()
  return (process.terminationStatus, String(decoding: data, as: UTF8.self))
}
