import CustomDump
import LifecycleCore
import TestSupport
import Testing

#if Services
  import Logging
  import ServiceLifecycle

  let quietLogger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

  /// A service that records its shutdown.
  struct Recorded: Service, CustomStringConvertible {
    let description: String
    let trace: Trace

    init(_ name: String, _ trace: Trace) {
      description = name
      self.trace = trace
    }

    func run() async throws {
      try await gracefulShutdown()
      trace("\(description) shuts down")
    }
  }

  /// A service that acts once the bus has a phase, that is, once the service of the bus runs.
  struct Ready<Bus: LifecycleBusProtocol>: Service {
    let bus: Bus
    let act: @Sendable (Bus) async -> Void

    init(_ bus: Bus, _ act: @escaping @Sendable (Bus) async -> Void) {
      self.bus = bus
      self.act = act
    }

    func run() async throws {
      try await bus.waitUntil(.atLeast(.background))
      await act(bus)
      try await gracefulShutdown()
    }
  }

  /// A service made of a closure.
  struct Nested: Service {
    let body: @Sendable () async throws -> Void

    init(_ body: @escaping @Sendable () async throws -> Void) {
      self.body = body
    }

    func run() async throws { try await body() }
  }
#endif

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
