import Foundation
import TestSupport
import Testing

/// What the manifest has a client fetch and link for its tests.
@Suite("Dependencies of the products for tests")
struct TestProductDependencyTests {
  private static let root = URL(filePath: #filePath)
    .appending(path: "../../../..").standardized

  private func text(_ name: String) throws -> String {
    try String(contentsOf: Self.root.appending(path: name), encoding: .utf8)
  }

  @Test(
    "On Linux LifecycleTesting links what reports failures to Swift Testing and XCTest",
    .enabled(if: Compiler() != nil, "no swiftc on the search path"),
    .startsProcesses
  )
  func failuresAreReportedInClients() throws {
    let dependency = try #require(
      try PackageManifest().dependencies.first {
        $0.target == "LifecycleTesting" && $0.product == "IssueReportingTestSupport"
      }
    )
    #expect(dependency.platforms.contains("linux") && dependency.traits.isEmpty)
  }

  @Test("The package depends on swift-dependencies neither itself nor by another package")
  func noDependencies() throws {
    for name in ["Package.swift", "Package.resolved"] {
      let text = try text(name).lowercased()
      #expect(text.contains("xctest-dynamic-overlay") && !text.contains("swift-dependencies"))
    }
  }
}
