public import Foundation

/// A new directory, which is deleted when it is released.
public final class TemporaryDirectory: Sendable {
  public let path: String

  public init() {
    // As the system names it in what it reports.
    let parent = URL(filePath: NSTemporaryDirectory()).resolvingSymlinksInPath().path
    var template = Array("\(parent)/lifecycle-XXXXXX".utf8CString)
    precondition(mkdtemp(&template) != nil, "\(parent): \(String(cString: strerror(errno)))")
    path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  public var url: URL { URL(filePath: path) }

  /// The path of a file in the directory.
  public func path(_ name: String) -> String { "\(path)/\(name)" }

  /// The names of the files in the directory, sorted.
  public var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }

  /// The contents of a file; none if it does not exist.
  public func bytes(_ name: String) -> [UInt8] {
    FileManager.default.contents(atPath: path(name)).map(Array.init) ?? []
  }

  public func write(_ bytes: some Sequence<UInt8>, to name: String) {
    _ = FileManager.default.createFile(atPath: path(name), contents: Data(bytes))
  }
}
