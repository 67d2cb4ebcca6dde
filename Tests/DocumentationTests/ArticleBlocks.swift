import Foundation

/// Returns the lines of each `text` block in an article of ReactiveLifecycle.
func textBlocks(of article: String) throws -> [[String]] {
  let path = "Sources/ReactiveLifecycle/Documentation.docc/\(article).md"
  let text = try String(contentsOf: Sample.root.appending(path: path), encoding: .utf8)
  return text.components(separatedBy: "```text\n").dropFirst().map { rest in
    rest.components(separatedBy: "\n```")[0].components(separatedBy: "\n")
  }
}

/// Returns the lines of the documentation comments of each file in a folder.
func documentationComments(below folder: String) throws -> [[String]] {
  let root = Sample.root.appending(path: folder)
  let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path)
  return try paths.filter { $0.hasSuffix(".swift") }.map { path in
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
      .components(separatedBy: "\n")
      .map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { $0.hasPrefix("/// ") }
      .map { String($0.dropFirst(4)) }
  }
}
