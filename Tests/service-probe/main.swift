#if Services
  import Foundation
  import JobControl
  import LifecycleCombine
  import LifecycleCore
  import LifecycleProcess
  import LifecycleServices
  import LifecycleSupport
  import Logging
  import ServiceLifecycle
  import UnixSignals

  /// The program that the tests of services end: two services and a bus, wired in one of several
  /// ways.
  struct ServiceProbe {
    enum Wiring: String {
      /// A group of the program's own takes SIGTERM.
      case group
      /// The same, beside a process source that ends the process.
      case groupAndSignals
      /// The same, but `main` waits for the end of the process, and does not return.
      case groupThenWait
      /// A group that takes no signal, beside a process source.
      case groupWithoutSignals
      /// The same without a `LifecycleService`, so that neither knows the other.
      case bare
      /// `runServices`, where the group takes SIGTERM.
      case runGroup
      /// `runServices`, where the process source takes SIGTERM.
      case runSignals
      /// The same with a `LifecycleService` among the services.
      case runSignalsAndService
      /// The same as `runSignals`, after a group with a bus of its own, which no signal has shut
      /// down.
      case groupThenRunSignals
      /// `runServices`, where both do.
      case runBoth
      /// The same as `runBoth`, but another party ends the process.
      case runObserving
      /// No services: a bus that the program ends, a SIGTERM that comes after that, for another
      /// party, and then the end of the connection.
      case ended
      /// No services: `main` returns, with the bus or, with the argument `released`, after it.
      case returns
    }

    let wiring: Wiring
    let isMainActor: Bool
    /// The time that the worker takes to shut down.
    let duration: Duration
    /// The time for which the services may delay the end: for those that are stuck or brief, the
    /// last argument, in milliseconds, if there is one.
    let grace: Duration

    init(_ arguments: ArraySlice<String>) {
      wiring = arguments.first.flatMap(Wiring.init) ?? .group
      isMainActor = !arguments.contains("nonisolated")
      let isStuck = arguments.contains("stuck")
      duration = isStuck ? .seconds(3600) : .milliseconds(arguments.contains("slow") ? 100 : 0)
      let isLimited = isStuck || arguments.contains("brief")
      let limit = arguments.last.flatMap(Int.init) ?? 200
      grace = isLimited ? .milliseconds(limit) : .seconds(3600)
    }

    func run() async throws {
      if wiring == .ended {
        try receiveAfterEnd()
      } else if wiring == .returns {
        returnNotifying()
      } else if isMainActor {
        try await run(LifecycleBus())
      } else {
        try await run(NonisolatedLifecycleBus())
      }
    }

    private func receiveAfterEnd() throws {
      let bus = NonisolatedLifecycleBus()
      let connection = try bus.connect(.processSignals(termination: .observe))
      bus.send(.willTerminate)
      let arrived = DispatchSemaphore(value: 0)
      let arrivals = bus.suppressedInputs.sink { _ in arrived.signal() }
      kill(getpid(), SIGTERM)
      arrived.wait()
      connection.cancel()
      arrivals.cancel()
      emit("main returns")
    }

    private func returnNotifying() {
      let bus = NonisolatedLifecycleBus()
      bus.notifySystemd()
      bus.send(.didBecomeActive)
      if !CommandLine.arguments.contains("released") { _ = Unmanaged.passRetained(bus) }
    }

    private func run(_ bus: some LifecycleBusProtocol) async throws {
      let scope = LifecycleScope("probe")
      bus.events.sink { event in emit("\(event.kind)") }.store(in: scope)
      var connection: LifecycleCancellable?
      switch wiring {
      case .group, .runGroup, .ended, .returns: break
      case .groupAndSignals, .groupThenWait, .groupWithoutSignals, .bare, .groupThenRunSignals,
        .runSignals, .runSignalsAndService, .runBoth:
        connection = try bus.connect(.processSignals())
      case .runObserving: connection = try bus.connect(.processSignals(termination: .observe))
      }
      var logger = Logger(label: "probe") { StreamLogHandler.standardError(label: $0) }
      logger.logLevel = .critical
      switch wiring {
      case .ended, .returns: break
      case .group, .groupAndSignals, .groupThenWait, .groupWithoutSignals:
        let group = ServiceGroup(
          services: [
            Worker(duration: duration), WaitingPoller(poller: Poller(bus: bus)),
            LifecycleService(bus, grace: grace), Announcer(),
          ],
          gracefulShutdownSignals: wiring == .groupWithoutSignals ? [] : [.sigterm],
          logger: logger
        )
        try await group.run()
        if wiring == .groupThenWait { await ProcessSignalSource.waitForEnd() }
      case .bare:
        let group = ServiceGroup(
          services: [Worker(duration: duration), Announcer()],
          gracefulShutdownSignals: [.sigterm],
          logger: logger
        )
        try await group.run()
      case .runSignals, .groupThenRunSignals:
        if wiring == .groupThenRunSignals {
          let service = LifecycleService(NonisolatedLifecycleBus(), grace: grace)
          let group = ServiceGroup(services: [service], logger: logger)
          await group.triggerGracefulShutdown()
          try await group.run()
        }
        try await bus.runServices(
          [Worker(duration: duration), Poller(bus: bus), Announcer()],
          logger: logger,
          grace: grace
        )
      case .runSignalsAndService:
        try await bus.runServices(
          [Worker(duration: duration), Announcer(), LifecycleService(bus, grace: grace)],
          logger: logger,
          grace: grace
        )
      case .runGroup, .runBoth, .runObserving:
        let configuration = ServiceGroupConfiguration(
          services: [Worker(duration: duration), Poller(bus: bus), Announcer()],
          gracefulShutdownSignals: [.sigterm],
          logger: logger
        )
        try await bus.runServices(configuration, grace: grace)
      }
      emit("main returns")
      withExtendedLifetime((connection, scope)) {}
    }
  }

  /// Takes a moment to shut down.
  private struct Worker: Service {
    let duration: Duration

    func run() async throws {
      try await gracefulShutdown()
      emit("worker shuts down")
      if duration > .zero { try await Task.sleep(for: duration) }
      emit("worker finished")
    }
  }

  /// Returns at `willTerminate`.
  private struct Poller<Bus: LifecycleBusProtocol>: Service {
    let bus: Bus

    func run() async throws {
      try await bus.repeatWhile(.atLeast(.background)) {
        try await Task.sleep(for: .seconds(3600))
      }
      emit("poller returns")
    }
  }

  /// Returns when its group shuts it down.
  private struct WaitingPoller<Bus: LifecycleBusProtocol>: Service {
    let poller: Poller<Bus>

    func run() async throws {
      try await poller.run()
      try? await gracefulShutdown()
    }
  }

  /// Reports that the services run, and the signals are taken.
  private struct Announcer: Service {
    func run() async throws {
      emit("ready")
      try await gracefulShutdown()
    }
  }

  /// Writes a line to standard output at once, from any thread.
  private func emit(_ text: String) {
    let line = Array("\(text)\n".utf8)
    _ = write(1, line, line.count)
  }

  JobControlShell.runIfRequested(CommandLine.arguments)
  try await ServiceProbe(CommandLine.arguments.dropFirst()).run()
#endif
