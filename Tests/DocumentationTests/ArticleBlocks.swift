import Foundation

/// Returns the lines of each `text` block in an article of ReactiveLifecycle.
func textBlocks(of article: String) throws -> [[String]] {
  let path = "Sources/ReactiveLifecycle/Documentation.docc/\(article).md"
  let text = try String(contentsOf: Sample.root.appending(path: path), encoding: .utf8)
  return text.components(separatedBy: "```text\n").dropFirst().map { rest in
    rest.components(separatedBy: "\n```")[0].components(separatedBy: "\n")
  }
}
