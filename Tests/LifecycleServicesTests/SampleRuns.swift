#if Services
  import CustomDump
  import InMemoryLogging
  import LifecycleServices
  import LifecycleSupport
  import LifecycleTesting
  import Logging
  import ReactiveLifecycle
  import ServiceLifecycle
  import TestSupport
  import Testing

  /// Runs the samples of the module's documentation. The signals of the process are taken in
  /// ``ServiceProcessTests``.
  @Suite("Samples of LifecycleServices")
  @MainActor
  struct SampleRuns {
    let bus = LifecycleBus(clock: ManualClock())
    let trace = Trace()

    @Test("A configuration, and a group with LifecycleService")
    func services() async throws {
      let ready = Ready(bus) { $0.send(.willTerminate) }
      try await configurationSample(bus, quietLogger, Recorded("database", trace), ready)
      expectNoDifference(trace.lines, ["database shuts down"])
    }

    @Test("A group that another party shuts down")
    func groups() async throws {
      let outer = Locked<ServiceGroup?>(nil)
      let ready = Ready(bus) { _ in await outer.withLock { $0 }?.triggerGracefulShutdown() }
      let inner = Nested { [bus] in try await lifecycleServiceSample(bus, quietLogger, ready) }
      let group = ServiceGroup(services: [inner], logger: quietLogger)
      outer.exchange(group)
      try await group.run()
      #expect(bus.phase == .terminated)
      let waiting = waitingSample(bus, quietLogger, Nested {})
      await waiting.triggerGracefulShutdown()
      try await waiting.run()
    }

    @Test("The whole server, and its short form, until they are cancelled")
    func server() async throws {
      let (first, second) = (AsyncGate(), AsyncGate())
      // The main thread of a loaded machine may take longer than the deadline of the observers. The
      // tasks are made in here: an issue belongs to where its task was made.
      await withKnownIssue(isIntermittent: true) {
        let whole = Task { try? await serverSample(quietLogger, database, server(first)) }
        await first.opened()
        whole.cancel()
        await whole.value
        let short = Task { try? await runServicesSample(quietLogger, database, server(second)) }
        await second.opened()
        short.cancel()
        #expect(await short.value == .terminated)
      } matching: {
        "\($0)".contains("had not reached its observers")
      }
      expectNoDifference(trace.lines, ["database shuts down", "database shuts down"])
    }

    private var database: some Service {
      let trace = trace
      return Nested {
        try? await gracefulShutdown()
        trace("database shuts down")
      }
    }

    private func server(_ gate: AsyncGate) -> some Service {
      Nested {
        gate.open()
        try? await gracefulShutdown()
      }
    }

    private func serverSamples(_ logger: Logger = quietLogger) -> ServerSamples {
      ServerSamples(bus: NonisolatedLifecycleBus(), scope: LifecycleScope(), logger: logger)
    }

    @Test("A server is ready while its signals are taken, and reloads its settings")
    func reloading() throws {
      let samples = serverSamples()
      #expect(samples.readiness() == 503)
      let signals = try samples.reload()
      #expect(samples.readiness() == 200)
      samples.bus.send(.reloadRequest)
      #expect(samples.part.calls == 1)
      signals.cancel()
    }

    @Test("A server sends mail until its bus ends")
    func mailing() async throws {
      let samples = serverSamples()
      samples.bus.send(.didEnterBackground)
      let mail = Task { try await samples.sendMail() }
      await samples.part.sending.opened()
      samples.bus.send(.willTerminate)
      try await mail.value
      #expect(samples.readiness() == 503)
    }

    @Test("A server logs what its system can report, and shrinks its cache")
    func shrinking() throws {
      let handler = InMemoryLogHandler()
      let samples = serverSamples(Logger(label: "test") { _ in handler })
      try samples.noticeMachine()
      samples.bus.send(.didReceiveMemoryWarning)
      #expect(samples.part.calls == 1)
      #expect(handler.entries.last?.message.description.contains("memoryPressure") == true)
    }

    @Test("Logs, metrics and systemd")
    func reports() throws {
      let (handler, scope) = (InMemoryLogHandler(), LifecycleScope())
      let logger = Logger(label: "test") { _ in handler }
      logSample(bus, logger, scope)
      logLevelsSample(bus, logger, scope)
      try overrunLogSample(bus, logger)
      try metricsSample(bus, scope)
      try systemdSample(bus)
      bus.send(.willTerminate)
      #expect(handler.entries.last?.level == .notice)
    }
  }
#endif
