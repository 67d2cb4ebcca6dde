import Foundation
import Testing

/// `Examples/README.md`: a section for each program, with the recording of a terminal.
struct ExampleReadme {
  /// A part of the file under a heading of the second level.
  struct Section {
    let title: String
    let lines: [Substring]

    /// The recording in the block `console`; nil if there is none.
    var recording: Recording? {
      guard let start = lines.firstIndex(of: "```console") else { return nil }
      let block = lines[(start + 1)...].prefix { $0 != "```" }
      return Recording(block.map(String.init))
    }
  }

  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../..").standardizedFileURL
  static let folder = root.appending(path: "Examples")

  let text: String
  let sections: [Section]

  init() throws {
    text = try String(contentsOf: Self.folder.appending(path: "README.md"), encoding: .utf8)
    var sections: [Section] = []
    var isInBlock = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") { isInBlock.toggle() }
      if !isInBlock, line.hasPrefix("## ") {
        sections.append(Section(title: String(line.dropFirst(3)), lines: []))
      } else if let last = sections.popLast() {
        sections.append(Section(title: last.title, lines: last.lines + [line]))
      }
    }
    self.sections = sections
  }

  static func recording(of program: String) throws -> Recording {
    let section = try ExampleReadme().programs.first { $0.title == program }
    return try #require(section?.recording, "\(program)")
  }

  /// The sections of the programs, whose titles are their names.
  var programs: [Section] {
    sections.filter { $0.title.wholeMatch(of: /[a-z-]+/) != nil }
  }
}
