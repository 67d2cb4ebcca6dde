import Foundation

/// A program of this package, as the build has put it beside the tests.
struct BuiltProgram {
  private let url: URL

  init(_ name: String) throws {
    let bundle = Bundle.allBundles.map(\.bundleURL).first { $0.pathExtension == "xctest" }
    let folders = [bundle?.deletingLastPathComponent(), Bundle.main.bundleURL].compactMap { $0 }
    let candidates = folders.map { $0.appending(path: name) }
    guard
      let url = candidates.first(where: { FileManager.default.isExecutableFile(atPath: $0.path) })
    else { throw NotBuilt(name: name, candidates: candidates) }
    self.url = url
  }

  struct NotBuilt: Error, CustomStringConvertible {
    let name: String
    let candidates: [URL]

    var description: String {
      "\(name) is not built: looked for \(candidates.map(\.path).joined(separator: ", "))"
    }
  }

  /// Runs the program and returns what it printed.
  func output() throws -> String {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = url
    process.standardOutput = pipe
    try process.run()
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }
}
