import CustomDump
import Foundation
import ReactiveLifecycle
import Testing

@Suite("Built-in kinds")
struct BuiltInKindTests {
  /// A kind without a name there would be equal to the next name that the process makes.
  @Test("Each constant has its own name, at the place that its number says")
  func namesFollowTheNumbers() throws {
    let root = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL
    let file = "Sources/ReactiveLifecycle/Phases/LifecycleEvent+Kind.swift"
    let source = try String(contentsOf: root.appending(path: file), encoding: .utf8)
    let constants = source.matches(of: /static let (\w+) = Self\(builtIn: (\d+)\)/)
    expectNoDifference(
      constants.map { "\($0.2) \($0.1)" },
      LifecycleEvent.Kind.builtInNames.enumerated().map { "\($0) \($1)" }
    )
    for name in LifecycleEvent.Kind.builtInNames {
      #expect(LifecycleEvent.Kind(rawValue: name).rawValue == name)
    }
  }
}
