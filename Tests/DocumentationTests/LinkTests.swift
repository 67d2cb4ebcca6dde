import CustomDump
import Foundation
import Testing

/// DocC checks the links of articles and comments; these are the other ones.
@Suite("Links between the files of the repository")
struct LinkTests {
  @Test("Each link of the texts beside the code leads to a file, and to a heading of it")
  func links() throws {
    let root = try FileManager.default.contentsOfDirectory(atPath: Sample.root.path)
    let folders = try ["Examples", "Benchmarks"].flatMap { folder in
      try Sample.paths(below: folder, endingIn: [".md"])
    }
    let texts = root.filter { $0.hasSuffix(".md") } + folders
    #expect(texts.contains("README.md") && texts.contains("Examples/README.md"))
    for text in texts {
      let url = Sample.root.appending(path: text)
      let links = try Sample.text(text).matches(of: /(?:\]\(|src(?:set)?=")([^\s")]+)/).map(\.1)
      if text == "README.md" { #expect(!links.isEmpty) }
      for link in links where !link.contains(":") {
        let parts = link.split(separator: "#", omittingEmptySubsequences: false)
        let target =
          parts[0].isEmpty ? url : url.deletingLastPathComponent().appending(path: parts[0])
        #expect(FileManager.default.fileExists(atPath: target.path), "\(text): \(link)")
        if parts.count == 2 {
          let anchors = try anchors(of: target)
          #expect(anchors.contains(String(parts[1])), "\(text): \(link)")
        }
      }
    }
  }

  /// The anchors that GitHub gives to the headings.
  private func anchors(of file: URL) throws -> [String] {
    try String(contentsOf: file, encoding: .utf8).matches(of: /(?m)^#+ (.+)$/).map { heading in
      heading.1.lowercased().filter { $0.isLetter || $0.isNumber || "-_ ".contains($0) }
        .replacing(" ", with: "-")
    }
  }
}
