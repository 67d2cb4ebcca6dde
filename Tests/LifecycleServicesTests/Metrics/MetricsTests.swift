#if Services
  import CustomDump
  import LifecycleCore
  import LifecycleProcess
  import LifecycleServices
  import LifecycleTesting
  import Metrics
  import MetricsTestKit
  import TestSupport
  import Testing

  @Suite("Metrics")
  @MainActor
  struct MetricsTests {
    let backend = TestMetrics()
    let clock = ManualClock()

    var metrics: LifecycleMetrics { LifecycleMetrics(factory: backend) }

    private func currentPhases() throws -> [LifecyclePhase] {
      try Self.currentPhases(in: backend)
    }

    nonisolated private static func currentPhases(
      in backend: TestMetrics
    ) throws -> [LifecyclePhase] {
      try LifecyclePhase.allCases.filter { phase in
        try backend.expectGauge("lifecycle.phase", [("phase", phase.rawValue)]).lastValue == 1
      }
    }

    @Test("One gauge is 1, that of the current phase, from the call on")
    func phase() throws {
      let (bus, scope) = (LifecycleBus(clock: clock), LifecycleScope())
      bus.send(.didFinishLaunching)
      bus.export(to: metrics, in: scope)
      #expect(try currentPhases() == [.background])
      bus.send(.didBecomeActive)
      #expect(try currentPhases() == [.active])
      bus.send(.willTerminate)
      #expect(try currentPhases() == [.terminated])
    }

    @Test("Each stay in the background is timed")
    func stays() throws {
      let (bus, scope) = (LifecycleBus(clock: clock), LifecycleScope())
      bus.export(to: metrics, in: scope)
      bus.send(.didBecomeActive)
      for seconds in [2, 90] {
        bus.send(.didEnterBackground)
        clock.advance(by: .seconds(seconds))
        bus.send(.didBecomeActive)
      }
      let timer = try backend.expectTimer("lifecycle.background.stay")
      expectNoDifference(timer.values, [2_000_000_000, 90_000_000_000])
    }

    @Test("Suppressed inputs are counted by reason, from zero")
    func suppressedInputs() throws {
      let (bus, scope) = (LifecycleBus(clock: clock), LifecycleScope())
      bus.export(to: metrics, in: scope)
      func count(_ reason: String) throws -> Int64 {
        try backend.expectCounter("lifecycle.suppressed.inputs", [("reason", reason)]).totalValue
      }
      #expect(try count("duplicate") == 0)
      bus.send(all: .didBecomeActive, .didBecomeActive, .didBecomeActive)
      bus.send(all: .willTerminate, .didBecomeActive)
      #expect(try count("duplicate") == 2)
      #expect(try count("terminated") == 1)
      #expect(try count("masked") == 0)
    }

    @Test("Observers over their deadline are counted by event and line")
    func overruns() throws {
      for _ in 0..<2 {
        ProcessSignalSource.Overrun(
          kind: .didEnterBackground,
          deadline: .seconds(5),
          observer: LifecycleObserverLocation(fileID: "App/Screen.swift", line: 12)
        ).export(to: metrics)
      }
      ProcessSignalSource.Overrun(kind: .willTerminate, deadline: .seconds(5), observer: nil)
        .export(to: metrics)
      for (event, observer, values) in [
        ("didEnterBackground", "App/Screen.swift:12", [1, 1]), ("willTerminate", "none", [1]),
      ] as [(String, String, [Int64])] {
        let dimensions = [("event", event), ("observer", observer)]
        let counter = try backend.expectCounter("lifecycle.observer.overruns", dimensions)
        expectNoDifference(counter.values, values)
      }
    }

    @Test("A chosen prefix begins the labels")
    func prefix() throws {
      let (bus, scope) = (NonisolatedLifecycleBus(clock: clock), LifecycleScope())
      bus.export(to: LifecycleMetrics(prefix: "app", factory: backend), in: scope)
      let gauge = try backend.expectGauge("app.phase", [("phase", "unknown")])
      #expect(gauge.lastValue == 1)
    }

    @Test("The end of the scope ends the export; one that has ended is reported")
    func endedScope() throws {
      let (bus, scope) = (NonisolatedLifecycleBus(clock: clock), LifecycleScope("old"))
      bus.export(to: metrics, in: scope)
      scope.end()
      let metrics = metrics
      expectReportedIssue("has already ended", line: #line + 1) {
        bus.export(to: metrics, in: scope)
      }
      expectReportedIssue("Nothing keeps the scope", line: #line + 1) {
        bus.export(to: metrics, in: LifecycleScope())
      }
      bus.send(all: .didBecomeActive, .didBecomeActive, .didEnterBackground, .didBecomeActive)
      #expect(try currentPhases() == [.unknown])
      #expect(backend.timers.allSatisfy { $0.values.isEmpty })
      #expect(backend.counterTotal(label: "lifecycle.suppressed.inputs") == 0)
    }

    @Test("Exports that several threads begin show the phase while another thread sends")
    nonisolated func manyThreads() async throws {
      let (bus, scope) = (NonisolatedLifecycleBus(clock: clock), LifecycleScope())
      let backends = (0..<4).map { _ in TestMetrics() }
      await awaitOtherThreads(backends.count + 1) { thread in
        if thread < backends.count {
          bus.export(to: LifecycleMetrics(factory: backends[thread]), in: scope)
        } else {
          for _ in 0..<25 { bus.send(all: .didBecomeActive, .didEnterBackground) }
        }
      }
      for backend in backends { #expect(try Self.currentPhases(in: backend) == [.background]) }
      bus.send(.didBecomeActive)
      for backend in backends { #expect(try Self.currentPhases(in: backend) == [.active]) }
    }

    @Test("By default, the backend is that of MetricsSystem")
    func defaultBackend() async {
      // In another process, because a process has one backend.
      await #expect(processExitsWith: .success) {
        let backend = TestMetrics()
        MetricsSystem.bootstrap(backend)
        let (bus, scope) = (NonisolatedLifecycleBus(), LifecycleScope())
        bus.export(to: LifecycleMetrics(), in: scope)
        let phases = try MetricsTests.currentPhases(in: backend)
        #expect(phases == [.unknown])
      }
    }
  }
#endif
