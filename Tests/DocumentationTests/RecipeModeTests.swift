import CustomDump
import TestSupport
import Testing

/// The recipes as a client with another default isolation compiles them.
@Suite(
  "Recipes in a new Xcode project",
  .enabled(if: Compiler() != nil, "no swiftc on the search path"),
  .startsProcesses
)
struct RecipeModeTests {
  @Test("The recipes compile where all code is on the main actor", arguments: ["5", "6"])
  func onMainActor(_ version: String) throws {
    let features = ["InferIsolatedConformances", "NonisolatedNonsendingByDefault"]
    let options =
      [
        "-emit-sil", "-o", "/dev/null", "-parse-as-library", "-swift-version", version,
        "-default-isolation", "MainActor",
      ] + features.flatMap { ["-enable-upcoming-feature", $0] }
    let recipes = try Sample.text("Tests/DocumentationTests/Samples/RecipeSamples.swift")
    let compiler = try #require(Compiler())
    expectNoDifference(try compiler.diagnostics(in: recipes, importing: [], options: options), [])
  }
}
