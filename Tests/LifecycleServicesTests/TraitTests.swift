import CustomDump
import Foundation
import TestSupport
import Testing

/// What the module is, and what a client fetches, without the trait `Services`.
@Suite("The trait Services")
struct TraitTests {
  private static let root = URL(filePath: #filePath).appending(path: "../../..").standardized

  @Test("Without the trait, the module has nothing but the unified log")
  func contents() throws {
    let folder = Self.root.appending(path: "Sources/LifecycleServices")
    let files = try #require(FileManager.default.enumerator(atPath: folder.path))
      .compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }
    #expect(files.count > 10)
    for file in files {
      let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      let lines = text.split(separator: "\n")
      let condition = file.hasPrefix("UnifiedLog/") ? "#if canImport(os)" : "#if Services"
      #expect(lines.first == "\(condition)", "\(file)")
      #expect(lines.last == "#endif", "\(file)")
      // The formatter indents what a condition encloses.
      #expect(lines.dropFirst().dropLast().allSatisfy { $0.hasPrefix("  ") }, "\(file)")
    }
  }

  @Test(
    "Without the trait, no client fetches the packages that it needs",
    .enabled(if: Compiler() != nil, "no swiftc on the search path"),
    .startsProcesses
  )
  func packages() throws {
    let manifest = try PackageManifest()
    expectNoDifference(manifest.traits, ["Services"], "the trait is not enabled by default")
    for package in ["swift-service-lifecycle", "swift-log", "swift-metrics"] {
      let dependencies = manifest.dependencies.filter { $0.package == package }
      #expect(dependencies.contains { $0.target == "LifecycleServices" })
      expectNoDifference(dependencies.filter { $0.traits != ["Services"] }, [])
    }
  }
}
