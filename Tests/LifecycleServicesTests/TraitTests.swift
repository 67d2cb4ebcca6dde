import CustomDump
import TestSupport
import Testing

@Suite("The trait Services")
struct TraitTests {
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
