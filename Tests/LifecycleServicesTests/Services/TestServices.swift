#if Services
  import LifecycleSupport
  import Logging
  import ReactiveLifecycle
  import ServiceLifecycle
  import TestSupport

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
