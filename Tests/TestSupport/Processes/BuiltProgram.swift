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
