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
          #expect(anchors.contains { $0.lowercased() == parts[1] }, "\(text): \(link)")
        }
      }
    }
  }

  /// DocC takes them for links to other sites.
  @Test("Each link to an article of another module leads to it, and to a heading of it")
  func articles() throws {
    let files = try Sample.paths(below: "Sources", endingIn: [".md", ".swift"])
    let articles = files.filter { $0.hasSuffix(".md") }
    var count = 0
    for file in files {
      for link in try Sample.text(file).matches(of: /\]\(\/documentation\/([^\s)]+)\)/).map(\.1) {
        count += 1
        let parts = link.split(separator: "#"), page = parts[0].split(separator: "/")
        let article = articles.first { article in
          let path = article.lowercased()
          return path.hasPrefix("sources/\(page[0])/") && path.hasSuffix("/\(page[1]).md")
        }
        guard let article else { Issue.record("\(file): \(link)"); continue }
        let anchors = try anchors(of: Sample.root.appending(path: article))
        #expect(parts.count == 1 || anchors.contains(String(parts[1])), "\(file): \(link)")
      }
    }
    #expect(count > 10)
  }

  /// The anchors that DocC gives to the headings, and GitHub in lower case.
  private func anchors(of file: URL) throws -> [String] {
    try String(contentsOf: file, encoding: .utf8).matches(of: /(?m)^#+ (.+)$/).map { heading in
      heading.1.filter { $0.isLetter || $0.isNumber || "-_ ".contains($0) }
        .replacing(" ", with: "-")
    }
  }
}
