import CustomDump
import JobControl
import TestSupport
import Testing

/// What the dynamic linker loads for a program that uses the library alone.
@Suite("Linking")
struct LinkingTests {
  #if os(Linux)
    @Test(
      "A program that imports ReactiveLifecycle loads neither networking nor XML",
      .startsProcesses
    )
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
}
