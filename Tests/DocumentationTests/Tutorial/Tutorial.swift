import Foundation
import Testing

/// The tutorial: its steps, in order, and the files that they show.
struct Tutorial: Sendable {
  /// A step, and the file that it shows.
  struct Step: Sendable, CustomTestStringConvertible {
    /// The numbers of the tutorial, the section and the step, as file names begin.
    let number: String
    /// The name that the reader sees.
    let name: String
    /// The name of the file in `Resources`.
    let file: String
    /// The latest file of each name, through this step.
    var stage: [String: String] = [:]

    var testDescription: String { "\(number) \(name)" }
  }

  static let folder = Sample.root
    .appending(path: "Sources/ReactiveLifecycle/Documentation.docc/Tutorials")

  /// The names of the tutorials, in the order of the table of contents.
  let names: [String]
  /// The number of `@Step` directives.
  let stepCount: Int
  let steps: [Step]
  /// The files of images, and those that a step compares its own with.
  let otherReferences: Set<String>

  init() throws {
    let contents = try Self.text("ATestedViewModel.tutorial")
    let names = contents.matches(of: /@TutorialReference\(tutorial: "doc:(\w+)"\)/).map { $0.1 }
    let texts = try names.map { try Self.text("\($0).tutorial") }
    var steps: [Step] = []
    var stage: [String: String] = [:]
    for (tutorial, text) in texts.enumerated() {
      for (section, text) in Self.parts(of: text, at: "@Section(").enumerated() {
        for (index, text) in Self.parts(of: text, at: "@Step {").enumerated() {
          for code in text.matches(of: /@Code\(name: "([^"]+)", file: "([^"]+)"/) {
            let number = [tutorial, section, index].map { String(format: "%02d", $0 + 1) }
              .joined(separator: "-")
            stage[String(code.1)] = String(code.2)
            steps.append(
              Step(number: number, name: String(code.1), file: String(code.2), stage: stage)
            )
          }
        }
      }
    }
    self.names = names.map(String.init)
    self.steps = steps
    stepCount = texts.map { Self.parts(of: $0, at: "@Step {").count }.reduce(0, +)
    otherReferences = Set(
      ([contents] + texts).flatMap { text in
        text.matches(of: /(?:source|previousFile): "([^"]+)"/).map { String($0.1) }
      }
    )
  }

  /// The text of a file in the tutorial's folder.
  static func text(_ file: String) throws -> String {
    try String(contentsOf: folder.appending(path: file), encoding: .utf8)
  }

  /// The text of the last file that the reader sees under this name.
  func last(_ name: String) throws -> String {
    try Self.text("Resources/\(steps.last { $0.name == name }?.file ?? name)")
  }

  private static func parts(of text: String, at separator: String) -> [String] {
    Array(text.components(separatedBy: separator).dropFirst())
  }
}
