import Foundation

/// A new directory, which is deleted when it is released.
final class TemporaryDirectory {
  let path: String

  init() {
    var template = Array((NSTemporaryDirectory() + "/flight-file-XXXXXX").utf8CString)
    mkdtemp(&template)
    path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func path(_ name: String) -> String { "\(path)/\(name)" }

  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }

  func bytes(_ name: String) -> [UInt8] {
    FileManager.default.contents(atPath: path(name)).map(Array.init) ?? []
  }

  func write(_ bytes: some Sequence<UInt8>, to name: String) {
    _ = FileManager.default.createFile(atPath: path(name), contents: Data(bytes))
  }
}
