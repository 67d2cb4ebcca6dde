import CustomDump
import JobControl
import TestSupport
import Testing

/// What a client links.
@Suite("Linking", .startsProcesses)
struct LinkingTests {
  #if os(Linux)
    @Test("A program that imports ReactiveLifecycle loads neither networking nor XML")
    func coreLoadsNeitherNetworkingNorXML() throws {
      // The dynamic linker lists what it would load, and starts nothing.
      let (status, text) = try runProgram(
        "/usr/bin/env",
        ["LD_TRACE_LOADED_OBJECTS=1", builtProgramPath("thread-probe")]
      )
      expectNoDifference(status, .exited(0))
      let names = text.split(separator: "\n").map { $0.trimmingPrefix("\t").prefix { $0 != " " } }
      #expect(names.contains { $0.hasPrefix("libswiftCore") }, "\(text)")
      let unwanted = ["FoundationNetworking", "FoundationXML", "libcurl", "libssl", "libxml2"]
      expectNoDifference(names.filter { name in unwanted.contains { name.contains($0) } }, [])
    }
  #endif

  @Test(
    "On Linux LifecycleTesting links what reports failures to Swift Testing and XCTest",
    .enabled(if: Compiler() != nil, "no swiftc on the search path")
  )
  func failuresAreReportedInClients() throws {
    let dependency = try #require(
      try PackageManifest().dependencies.first {
        $0.target == "LifecycleTesting" && $0.product == "IssueReportingTestSupport"
      }
    )
    #expect(dependency.platforms.contains("linux") && dependency.traits.isEmpty)
  }
}
