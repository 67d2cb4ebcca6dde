#if Services
  import CustomDump
  import InMemoryLogging
  import LifecycleCore
  import LifecycleProcess
  import LifecycleSupport
  import LifecycleTesting
  import Logging
  import ServiceLifecycle
  import TestSupport
  import Testing

  @testable import LifecycleServices

  @Suite("runServices")
  struct RunServicesTests {
    @Test("The end of the bus shuts the services down in reverse order")
    func busEndsServices() async throws {
      let (bus, trace, scope) = (LifecycleBus(), Trace(), LifecycleScope())
      bus.addObserver(for: .willTerminate, in: scope) { @Sendable _ in trace("willTerminate") }
      let ready = Ready(bus) { $0.send(.willTerminate) }
      try await bus.runServices(
        [Recorded("first", trace), Recorded("second", trace), ready],
        logger: quietLogger,
        // Other tests may hold the main thread, where the bus delivers.
        deadline: .seconds(600)
      )
      expectNoDifference(
        trace.lines,
        ["willTerminate", "second shuts down", "first shuts down"]
      )
    }

    @Test("The group's shutdown notifies the observers, then shuts the services down")
    func groupEndsBus() async throws {
      let (bus, trace, scope) = (NonisolatedLifecycleBus(), Trace(), LifecycleScope())
      bus.addObserver(for: .willTerminate, in: scope) { @Sendable _ in trace("willTerminate") }
      // The group in which the services' group runs shuts down.
      let outer = Locked<ServiceGroup?>(nil)
      let ready = Ready(bus) { _ in
        await outer.withLock { $0 }?.triggerGracefulShutdown()
      }
      let inner = Nested { [trace] in
        try await bus.runServices([Recorded("first", trace), ready], logger: quietLogger)
      }
      let group = ServiceGroup(services: [inner], logger: quietLogger)
      outer.exchange(group)
      try await group.run()
      expectNoDifference(trace.lines, ["willTerminate", "first shuts down"])
      #expect(bus.phase == .terminated)
    }

    @Test("A service may return because the bus has ended, in any form")
    func servicesThatReturn() async throws {
      for _ in 0..<10 {
        let (bus, trace) = (NonisolatedLifecycleBus(), Trace())
        let repeating = Nested {
          try await bus.repeatWhile(.atLeast(.background)) {
            try await Task.sleep(for: .seconds(3600))
          }
        }
        let waiting = Nested {
          while true {
            try await bus.waitUntil(.atLeast(.active))
            try await bus.waitUntil(.atMost(.background))
          }
        }
        let iterating = Nested { for await _ in bus.events.asyncSequence() {} }
        let ready = Ready(bus) { $0.send(.willTerminate) }
        try await bus.runServices(
          [Recorded("worker", trace), repeating, waiting, iterating, ready],
          logger: quietLogger
        )
        expectNoDifference(trace.lines, ["worker shuts down"])
      }
    }

    @Test("A service that returns for another reason is still a failure, and ends the bus")
    func serviceThatReturnsEarly() async throws {
      let bus = NonisolatedLifecycleBus()
      await #expect(throws: ServiceGroupError.self) {
        try await bus.runServices([Nested {}], logger: quietLogger)
      }
      #expect(bus.phase == .terminated)
    }

    @Test("A service that another bus has ended is a failure")
    func serviceOfAnotherBus() async {
      let (bus, other) = (NonisolatedLifecycleBus(), NonisolatedLifecycleBus())
      other.send(.willTerminate)
      let service = Nested { try await other.waitUntil(.atLeast(.active)) }
      await #expect(throws: LifecycleBusEndedError.self) {
        try await bus.runServices([service], logger: quietLogger)
      }
    }

    @Test("The error of a service is thrown, and the observers are notified of the end")
    func serviceThatThrows() async throws {
      struct Failure: Error {}
      let (bus, trace, scope) = (NonisolatedLifecycleBus(), Trace(), LifecycleScope())
      bus.addObserver(for: .willTerminate, in: scope) { _ in trace("willTerminate") }
      await #expect(throws: Failure.self) {
        try await bus.runServices([Nested { throw Failure() }], logger: quietLogger)
      }
      expectNoDifference(trace.lines, ["willTerminate"])
    }

    @Test("A bus that has ended before shuts the group down as it begins")
    func endedBus() async throws {
      let (bus, trace) = (NonisolatedLifecycleBus(), Trace())
      bus.send(.willTerminate)
      try await bus.runServices([Recorded("worker", trace)], logger: quietLogger)
      expectNoDifference(trace.lines, ["worker shuts down"])
    }

    @Test("Cancelling the task ends the services and the bus")
    func cancellation() async throws {
      let (bus, gate) = (NonisolatedLifecycleBus(), AsyncGate())
      let ready = Ready(bus) { _ in gate.open() }
      let task = Task { try await bus.runServices([ready], logger: quietLogger) }
      await gate.opened()
      task.cancel()
      _ = await task.result
      #expect(bus.phase == .terminated)
    }

    @Test("The bus becomes active, unless it has a phase from another source")
    func phase() async throws {
      for phase in [LifecyclePhase.unknown, .background] {
        let bus = NonisolatedLifecycleBus()
        if phase == .background { bus.send(.didFinishLaunching) }
        let seen = Collector<LifecyclePhase>()
        let ready = Ready(bus) {
          seen($0.phase)
          $0.send(.willTerminate)
        }
        try await bus.runServices([ready], logger: quietLogger)
        expectNoDifference(seen.values, [phase == .unknown ? .active : .background])
      }
    }

    @Test("In a group of another party, the services after LifecycleService shut down before it")
    func order() async throws {
      let (bus, trace, scope) = (NonisolatedLifecycleBus(), Trace(), LifecycleScope())
      bus.addObserver(for: .willTerminate, in: scope) { _ in trace("willTerminate") }
      let group = ServiceGroup(
        services: [Recorded("earlier", trace), LifecycleService(bus), Recorded("later", trace)],
        logger: quietLogger
      )
      await group.triggerGracefulShutdown()
      try await group.run()
      expectNoDifference(
        trace.lines,
        ["later shuts down", "willTerminate", "earlier shuts down"]
      )
    }

    @Test("A LifecycleService keeps its bus until its group has finished")
    func keepsBus() async throws {
      let (group, observed) = {
        let bus = NonisolatedLifecycleBus()
        let service = LifecycleService(bus)
        return (ServiceGroup(services: [service], logger: quietLogger), Weak(bus))
      }()
      #expect(observed.object != nil)
      await group.triggerGracefulShutdown()
      try await group.run()
      #expect(await eventually { observed.object == nil })
      withExtendedLifetime(group) {}
    }

    @Test("The services have names of their own in a group's log")
    func names() async throws {
      let (bus, handler) = (NonisolatedLifecycleBus(), InMemoryLogHandler())
      var logger = Logger(label: "test") { _ in handler }
      logger.logLevel = .debug
      bus.send(.willTerminate)
      try await bus.runServices([Recorded("worker", Trace())], logger: logger)
      let names = Set(handler.entries.compactMap { $0.metadata["sl-service"]?.description })
      #expect(names.isSuperset(of: ["worker", "LifecycleService"]))
    }

    // On the main actor: the blocked observer keeps one of the other threads that tasks have.
    @Test("An observer over the deadline is reported by its line, and the services shut down")
    @MainActor
    func overrun() async throws {
      let overruns = Collector<ProcessSignalSource.Overrun>()
      let line = try await shutDownBlocked { bus, services in
        let inner = Nested {
          try await bus.runServices(services, logger: quietLogger, deadline: .seconds(3)) {
            overruns($0)
          }
        }
        return [inner]
      }
      let overrun = try #require(overruns.values.first)
      #expect(overrun.kind == .willTerminate)
      #expect(overrun.deadline == .seconds(3))
      #expect(overrun.observer?.line == line)
      #expect(overrun.observer?.scope == "slow")
    }

    @Test("By default, an observer over the deadline is reported as an issue")
    @MainActor
    func reportedOverrun() async throws {
      var line: UInt = 0
      let issues = try await reportedIssues {
        line = try await shutDownBlocked { bus, services in
          services + [LifecycleService(bus, deadline: .seconds(3))]
        }
      }
      expectNoDifference(issues.count, 1)
      let place = "LifecycleServicesTests/RunServicesTests.swift:\(line)"
      #expect(issues.first?.message.contains(place) == true, "\(issues)")
    }

    /// Shuts services down while an observer is blocked, until its deadline has passed.
    ///
    /// - Returns: The line of the observer.
    @MainActor
    private func shutDownBlocked(
      _ running: (NonisolatedLifecycleBus, [any Service]) -> [any Service]
    ) async throws -> UInt {
      let (clock, trace) = (ManualClock(), Trace())
      let bus = NonisolatedLifecycleBus(clock: clock)
      let (scope, gate, blocked) = (LifecycleScope("slow"), ThreadGate(), AsyncGate())
      defer { gate.open() }
      let line: UInt = #line + 1
      bus.addObserver(for: .willTerminate, in: scope) { _ in
        blocked.open()
        gate.wait()
      }
      let outer = Locked<ServiceGroup?>(nil)
      let ready = Ready(bus) { _ in await outer.withLock { $0 }?.triggerGracefulShutdown() }
      let services: [any Service] = [Recorded("worker", trace), ready]
      let group = ServiceGroup(services: running(bus, services), logger: quietLogger)
      outer.exchange(group)
      async let run: Void = group.run()
      await blocked.opened()
      expectNoDifference(trace.lines, [])
      clock.advance(by: .seconds(3))
      try await run
      expectNoDifference(trace.lines, ["worker shuts down"])
      return line
    }
  }

  @Suite("Waits for observers up to a deadline")
  struct TimedWaitTests {
    @Test("Time for which the process is frozen does not count", arguments: [true, false])
    func frozen(isInTime: Bool) async {
      let clock = ManualClock()
      let started = AsyncGate()
      let completion = Locked<(@Sendable () -> Void)?>(nil)
      let task = Task {
        await TimedWait(clock, .seconds(8)).wait { complete in
          completion.withLock { $0 = complete }
          started.open()
        }
      }
      await started.opened()
      clock.stopProcess(for: .seconds(60))
      clock.advance(by: .seconds(isInTime ? 7 : 8))
      completion.withLock { $0 }?()
      #expect(await task.value == !isInTime)
    }
  }
#endif
