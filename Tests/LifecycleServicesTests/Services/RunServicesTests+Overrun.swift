#if Services
  import CustomDump
  import LifecycleServices
  import LifecycleSources
  import LifecycleSupport
  import LifecycleTesting
  import ReactiveLifecycle
  import ServiceLifecycle
  import TestSupport
  import Testing

  extension RunServicesTests {
    private enum Form: CaseIterable { case runServices, configuration, lifecycleService }

    private enum Caller {
      @TaskLocal static var form: Form?
    }

    // On the main actor: the blocked observer keeps one of the other threads that tasks have.
    @Test("An observer over the deadline is reported by its line, and the services shut down")
    @MainActor
    func overrun() async throws {
      for form in Form.allCases {
        let overruns = Collector<ProcessSignalSource.Overrun>()
        let callers = Collector<Form?>()
        let line = try await Caller.$form.withValue(form) {
          try await shutDownBlocked(form) {
            overruns($0)
            callers(Caller.form)
          }
        }
        let overrun = try #require(overruns.values.first)
        #expect(overrun.kind == .willTerminate)
        #expect(overrun.deadline == .seconds(3))
        #expect(overrun.observer?.line == line)
        #expect(overrun.observer?.scope == "slow")
        // In a task of the group.
        expectNoDifference(callers.values, [form])

        var reportedLine: UInt = 0
        let issues = try await reportedIssues { reportedLine = try await shutDownBlocked(form) }
        expectNoDifference(issues.count, 1)
        let place = "LifecycleServicesTests/RunServicesTests+Overrun.swift:\(reportedLine)"
        #expect(issues.first?.message.contains(place) == true, "\(issues)")
      }
    }

    /// Shuts services down while an observer is blocked, until its deadline has passed.
    ///
    /// - Returns: The line of the observer.
    @MainActor
    private func shutDownBlocked(
      _ form: Form,
      onOverrun: (@Sendable (ProcessSignalSource.Overrun) -> Void)? = nil
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
      let group = ServiceGroup(
        services: running(services, form, bus, onOverrun),
        logger: quietLogger
      )
      outer.exchange(group)
      async let run: Void = group.run()
      await blocked.opened()
      expectNoDifference(trace.lines, [])
      clock.advance(by: .seconds(3))
      try await run
      expectNoDifference(trace.lines, ["worker shuts down"])
      return line
    }

    /// Returns the services of a group that runs services with a bus, in one of the two forms.
    private func running(
      _ services: [any Service],
      _ form: Form,
      _ bus: NonisolatedLifecycleBus,
      _ onOverrun: (@Sendable (ProcessSignalSource.Overrun) -> Void)?
    ) -> [any Service] {
      let deadline = Duration.seconds(3)
      let configuration = ServiceGroupConfiguration(services: services, logger: quietLogger)
      switch (form, onOverrun) {
      case (.runServices, let onOverrun?):
        return [
          Nested {
            try await bus.runServices(
              services,
              logger: quietLogger,
              deadline: deadline,
              onOverrun: onOverrun
            )
          }
        ]
      case (.runServices, nil):
        return [
          Nested { try await bus.runServices(services, logger: quietLogger, deadline: deadline) }
        ]
      case (.configuration, let onOverrun?):
        return [
          Nested {
            try await bus.runServices(configuration, deadline: deadline, onOverrun: onOverrun)
          }
        ]
      case (.configuration, nil):
        return [Nested { try await bus.runServices(configuration, deadline: deadline) }]
      case (.lifecycleService, let onOverrun?):
        return services + [LifecycleService(bus, deadline: deadline, onOverrun: onOverrun)]
      case (.lifecycleService, nil):
        return services + [LifecycleService(bus, deadline: deadline)]
      }
    }
  }
#endif
