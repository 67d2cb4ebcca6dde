#if Services
  import CustomDump
  import InMemoryLogging
  import LifecycleCore
  import LifecycleProcess
  import LifecycleServices
  import LifecycleTesting
  import Logging
  import TestSupport
  import Testing

  @Suite("Logging")
  @MainActor
  struct LogTests {
    let handler = InMemoryLogHandler()
    let clock = ManualClock()

    var logger: Logger {
      var logger = Logger(label: "test") { [handler] _ in handler }
      logger.logLevel = .trace
      return logger
    }

    @Test("Each event is an entry with its metadata, at the level of its sort")
    func events() {
      let (bus, scope) = (LifecycleBus(clock: clock), LifecycleScope())
      bus.log(to: logger, in: scope)
      bus.send(.didBecomeActive)
      bus.send(.didEnterBackground)
      clock.advance(by: .seconds(90))
      bus.send(.willEnterForeground)
      bus.send(.willTerminate, metadata: ["signal": "SIGTERM"])
      expectNoDifference(
        handler.entries.map { "\($0.level) \($0.message)" },
        [
          "debug didFinishLaunching (unknown → background) #1",
          "debug willEnterForeground (background → inactive) #2",
          "info didBecomeActive (inactive → active) #3",
          "debug willResignActive (active → inactive) #4",
          "info didEnterBackground (inactive → background) #5",
          "info willEnterForeground (background → inactive, away 90 s) #6",
          "debug didEnterBackground (inactive → background) #7",
          "notice willTerminate (background → terminated) #8",
        ]
      )
      expectNoDifference(
        handler.entries[5].metadata,
        [
          "lifecycle.event": "willEnterForeground", "lifecycle.phase": "inactive",
          "lifecycle.previous_phase": "background", "lifecycle.sequence_number": "6",
          "lifecycle.origin": "manual", "lifecycle.stay.duration": "90.0 seconds",
          "lifecycle.stay.asleep": "0.0 seconds",
        ]
      )
      #expect(handler.entries[7].metadata["lifecycle.signal"] == "SIGTERM")
    }

    @Test("What a source adds under the name of a field of the event does not replace it")
    func sameNames() {
      let (bus, scope) = (NonisolatedLifecycleBus(clock: clock), LifecycleScope())
      bus.log(to: logger, in: scope)
      bus.send(.didBecomeActive, metadata: ["phase": "of the moon", "cause": "request"])
      let metadata = handler.entries.last?.metadata
      #expect(metadata?["lifecycle.phase"] == "active")
      #expect(metadata?["lifecycle.cause"] == "request")
    }

    @Test("Each suppressed input is an entry with the reason, after the end as well")
    func suppressedInputs() {
      let (bus, scope) = (LifecycleBus(clock: clock), LifecycleScope())
      bus.send(.didBecomeActive)
      bus.log(to: logger, in: scope)
      bus.send(.didBecomeActive)
      bus.send(.willTerminate)
      bus.send(.didEnterBackground)
      let suppressed = handler.entries.filter { $0.metadata["lifecycle.suppressed"] != nil }
      expectNoDifference(
        suppressed.map { "\($0.level) \($0.message) \($0.metadata["lifecycle.origin"]!)" },
        [
          "debug didBecomeActive suppressed (duplicate) manual",
          "debug didEnterBackground suppressed (terminated) manual",
        ]
      )
      expectNoDifference(
        suppressed.map { $0.metadata["lifecycle.suppressed"] },
        ["duplicate", "terminated"]
      )
    }

    @Test("The end of the scope ends the logging; one that has ended is reported")
    func endedScope() {
      let (bus, scope) = (NonisolatedLifecycleBus(clock: clock), LifecycleScope("old"))
      let logger = logger
      bus.log(to: logger, in: scope)
      scope.end()
      expectReportedIssue("has already ended", line: #line + 1) {
        bus.log(to: logger, in: scope)
      }
      expectReportedIssue("Nothing keeps the scope", line: #line + 1) {
        bus.log(to: logger, in: LifecycleScope())
      }
      bus.send(all: .didBecomeActive, .didBecomeActive)
      expectNoDifference(handler.entries, [])
    }

    @Test("An observer over its deadline is an entry with its file and line, if one is known")
    func overrun() {
      for observer in [LifecycleObserverLocation(fileID: "App/Screen.swift", line: 12), nil] {
        ProcessSignalSource.Overrun(
          kind: .willTerminate,
          deadline: .seconds(5),
          observer: observer
        ).log(to: logger)
      }
      expectNoDifference(handler.entries.map(\.level), [.warning, .warning])
      expectNoDifference(
        handler.entries.map(\.metadata),
        [
          [
            "lifecycle.event": "willTerminate", "lifecycle.deadline": "5.0 seconds",
            "lifecycle.observer": "App/Screen.swift:12",
          ],
          ["lifecycle.event": "willTerminate", "lifecycle.deadline": "5.0 seconds"],
        ]
      )
    }
  }
#endif
