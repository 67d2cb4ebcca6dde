import CustomDump
import Foundation
import Testing

@testable import ReactiveLifecycle

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// The diagrams of the articles, each in light and dark.
@Suite("Diagrams")
struct DiagramTests {
  @Test("A dark diagram is the light one in the other colors", arguments: try Diagram.all())
  func darkTwin(_ diagram: Diagram) throws {
    let colors = try Diagram.palette()
    let dark = try diagram.text().replacing(/#[0-9A-Fa-f]{3,8}\b/) { match in
      colors[String(match.output)] ?? "#missing"
    }
    #expect(!dark.contains("#missing"), "A color of \(diagram) is not in .ci/diagram-palette.")
    let file = "\(diagram.file.dropLast(4))~dark.svg"
    #expect(try dark == Diagram(file: file).text(), "Run .ci/darken-diagrams.")
  }

  @Test("No dark diagram lacks its light one")
  func lightTwin() throws {
    let files = try Diagram.files()
    let dark = files.filter { $0.hasSuffix("~dark.svg") }
    #expect(!dark.isEmpty && files.count == 2 * dark.count)
  }

  @Test("Every diagram is an image with a title and a description", arguments: try Diagram.all())
  func isAccessible(_ diagram: Diagram) throws {
    let text = try diagram.text()
    let parser = XMLParser(data: Data(text.utf8))
    #expect(parser.parse(), "Line \(parser.lineNumber)")
    #expect(text.contains(/<svg [^>]*role="img" aria-labelledby="title desc"/))
    #expect(text.contains(/<title id="title">[^<]+<\/title>/))
    #expect(text.contains(/<desc id="desc">[^<]+<\/desc>/))
  }

  @Test("The phase diagram has the transitions of the phase machine")
  func phaseDiagram() throws {
    let kinds = LifecycleEvent.Kind.builtInNames.map { LifecycleEvent.Kind(rawValue: $0) }
      .filter(\.isTransition)
    let instant = LifecycleInstant(continuous: .boot, timeAwake: .zero, timeSince1970: .zero)
    var edges: Set<String> = []
    // A transition first makes those that it skips. Two of them reach every phase from every other.
    for (first, second) in kinds.flatMap({ first in kinds.map { (first, $0) } }) {
      var machine = PhaseMachine()
      for kind in [first, second] {
        _ = machine.accept(kind, from: PhaseAggregate.ownSource, at: instant) { move in
          edges.insert("\(move.previousPhase) → \(move.phase): \(move.kind)")
        }
      }
    }

    let text = try Diagram(named: "phase-diagram").text()
    let drawn = text.matches(
      of: /event="(\w+)" data-from="(\w+)" data-to="(\w+)">\s*<path .*\s*<text .*>(\w+)</
    )
    expectNoDifference(drawn.map { "\($0.2) → \($0.3): \($0.1)" }.sorted(), edges.sorted())
    #expect(drawn.allSatisfy { $0.1 == $0.4 }, "A label names another event.")
    for phase in LifecyclePhase.allCases { #expect(text.contains("<g id=\"\(phase)\">")) }
  }

  @Test("The layers have the modules, and an arrow from each to what it imports")
  func layers() throws {
    let text = try Diagram(named: "layers").text()
    var needs: [String: Set<String>] = [:]
    for arrow in text.matches(of: /data-from="(\w+)" data-to="(\w+)"/) {
      needs[String(arrow.1), default: []].insert(String(arrow.2))
    }
    let sources = Sample.root.appending(path: "Sources")
    let modules = Set(try FileManager.default.contentsOfDirectory(atPath: sources.path))
    expectNoDifference(Set(text.matches(of: /<g id="(\w+)">/).map { String($0.1) }), modules)
    for module in modules {
      let imported = try imports(of: sources.appending(path: module)).intersection(modules)
      var reached = needs[module, default: []]
      #expect(reached.isSubset(of: imported), "\(module) doesn't import what its arrows lead to.")
      for _ in modules { reached.formUnion(reached.flatMap { needs[$0, default: []] }) }
      #expect(imported.isSubset(of: reached), "No arrow leads from \(module) to what it imports.")
    }
  }

  private func imports(of folder: URL) throws -> Set<String> {
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".swift") && !$0.contains(".docc/") }
    return try files.reduce(into: []) { imports, file in
      let code = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      let matches = code.matches(of: /^ *(?:\w+ )?import (\w+)/.anchorsMatchLineEndings())
      imports.formUnion(matches.map { String($0.1) })
    }
  }
}

/// A diagram, by its path in the package.
struct Diagram: Sendable, CustomTestStringConvertible {
  let file: String

  var testDescription: String { file }

  func text() throws -> String {
    try String(contentsOf: Sample.root.appending(path: file), encoding: .utf8)
  }

  static func all() throws -> [Diagram] {
    try files().filter { !$0.hasSuffix("~dark.svg") }.map { Diagram(file: $0) }
  }

  static func files() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: Sample.root.appending(path: "Sources").path)
      .filter { $0.hasSuffix(".svg") }.map { "Sources/\($0)" }.sorted()
  }

  /// The color in the dark for each color in the light.
  static func palette() throws -> [String: String] {
    try Diagram(file: ".ci/diagram-palette").text().split(separator: "\n")
      .reduce(into: [:]) { colors, line in
        let words = line.split(separator: " ")
        colors[String(words[0])] = String(words[1])
      }
  }
}

extension Diagram {
  init(named name: String) {
    file = "Sources/ReactiveLifecycle/Documentation.docc/\(name).svg"
  }
}
