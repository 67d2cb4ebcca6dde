#if Services
  import CustomDump
  import Foundation
  import LifecycleBackgroundWork
  import LifecycleCore
  import LifecycleProcess
  import LifecycleTesting
  import TestSupport
  import Testing

  @testable import LifecycleServices

  @Suite("systemd", .serialized)
  @MainActor
  struct SystemdTests {
    let clock = ManualClock()

    /// The messages that a bus has caused.
    func messages(
      _ sort: DatagramSocket.Sort = .abstract,
      _ variables: [String: String] = [:],
      readyWhen condition: LifecyclePhase.Condition? = .atLeast(.active),
      _ act: (LifecycleBus, SystemdNotifier, DatagramSocket) throws -> Void
    ) throws -> [String] {
      let socket = try DatagramSocket(sort)
      let bus = LifecycleBus(clock: clock)
      let notifier = bus.notifySystemd(
        readyWhen: condition,
        environment: variables.merging(["NOTIFY_SOCKET": socket.name]) { $1 }
      )
      try act(bus, notifier, socket)
      return socket.takeMessages()
    }

    @Test(
      "READY, and STOPPING with the signal in the status, by a path and by an abstract name",
      arguments: DatagramSocket.Sort.allCases
    )
    func readyAndStopping(sort: DatagramSocket.Sort) throws {
      let messages = try messages(sort) { bus, notifier, socket in
        #expect(notifier.isActive)
        bus.send(.didFinishLaunching)
        expectNoDifference(socket.takeMessages(), [])
        bus.send(.didBecomeActive)
        expectNoDifference(socket.takeMessages(), ["READY=1"])
        bus.send(.didEnterBackground)
        bus.send(.didBecomeActive)
        expectNoDifference(socket.takeMessages(), [])
        bus.send(.willTerminate, metadata: ["signal": "SIGTERM"])
      }
      expectNoDifference(messages, ["STOPPING=1 STATUS=Stopping after SIGTERM"])
    }

    @Test("STOPPING is sent in the order of registration, the last first")
    func stoppingOrder() throws {
      let (socket, bus) = (try DatagramSocket(.abstract), LifecycleBus(clock: clock))
      let (scope, trace) = (LifecycleScope(), Trace())
      bus.addObserver(for: .willTerminate, in: scope) { @Sendable _ in
        trace("registered before: \(socket.takeMessages())")
      }
      bus.notifySystemd(environment: ["NOTIFY_SOCKET": socket.name])
      bus.addObserver(for: .willTerminate, in: scope) { @Sendable _ in
        trace("registered after: \(socket.takeMessages())")
      }
      bus.send(.willTerminate)
      expectNoDifference(
        trace.lines,
        ["registered after: []", #"registered before: ["STOPPING=1 STATUS=Stopping"]"#]
      )
    }

    @Test("A bus that is active already is ready at once")
    func readyAtOnce() throws {
      let (socket, bus) = (try DatagramSocket(.abstract), LifecycleBus(clock: clock))
      bus.send(.didBecomeActive)
      bus.notifySystemd(environment: ["NOTIFY_SOCKET": socket.name])
      expectNoDifference(socket.takeMessages(), ["READY=1"])
    }

    @Test("A program that reports itself that it is ready is not ready before that")
    func manualReadiness() throws {
      let messages = try messages(readyWhen: nil) { bus, notifier, socket in
        bus.send(.didBecomeActive)
        expectNoDifference(socket.takeMessages(), [])
        notifier.ready()
        notifier.ready()
        notifier.setStatus("3 clients")
      }
      expectNoDifference(messages, ["READY=1", "STATUS=3 clients"])
    }

    @Test("A reload is RELOADING before its observers and READY after them")
    func reload() throws {
      let scope = LifecycleScope()
      let messages = try messages { bus, _, socket in
        bus.send(.didBecomeActive)
        _ = socket.takeMessages()
        bus.addObserver(for: .reloadRequest, in: scope) { @Sendable _ in
          let messages = socket.takeMessages()
          let parts = messages.first?.split(separator: " ") ?? []
          #expect(messages.count == 1 && parts.first == "RELOADING=1")
          let time = parts.last.flatMap { Int64($0.dropFirst("MONOTONIC_USEC=".count)) } ?? 0
          var now = timespec()
          clock_gettime(CLOCK_MONOTONIC, &now)
          let microseconds = Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1_000
          #expect(time > 0 && time <= microseconds)
        }
        bus.send(.reloadRequest)
      }
      expectNoDifference(messages, ["READY=1"])
    }

    @Test("While a background task is open at the end, the manager is asked for as much time")
    func openTask() throws {
      let host = ProcessBackgroundTaskHost.process(grace: .seconds(20), delaying: .end)
      let task = try #require(host.beginTask(named: "upload") {})
      defer { host.endTask(task) }
      _ = try messages { bus, _, socket in
        bus.send(.willTerminate)
        let messages = socket.takeAllMessages()
        expectNoDifference(messages.first, "STOPPING=1 STATUS=Stopping")
        let microseconds = try #require(
          messages.last?.split(separator: "=").last.flatMap { Int($0) }
        )
        // Another test may have a task that takes longer.
        #expect(microseconds >= 21_000_000)
      }
    }

    @Test("Several threads: READY is sent once, each text arrives whole, and none after the end")
    nonisolated func manyThreads() async throws {
      for _ in 0..<20 {
        let (socket, bus) = (try DatagramSocket(.abstract), NonisolatedLifecycleBus(clock: clock))
        let notifier = bus.notifySystemd(environment: ["NOTIFY_SOCKET": socket.name])
        // No more than the queue of a socket holds.
        let texts = (0..<6).map { String(repeating: "\($0)", count: 200) }
        await awaitOtherThreads(4) { thread in
          switch thread {
          case 0: bus.send(.didBecomeActive)
          case 1: notifier.ready()
          case 2: for text in texts[..<3] { notifier.setStatus(text) }
          default: for text in texts[3...] { notifier.setStatus(text) }
          }
        }
        let expected = ["READY=1"] + texts.map { "STATUS=\($0)" }
        expectNoDifference(socket.takeMessages().sorted(), expected)
        await awaitOtherThreads(4) { thread in
          switch thread {
          case 0: bus.send(.willTerminate)
          case 1: notifier.setStatus("late")
          default: notifier.cancel()
          }
        }
        // Calls that began before the cancellation may have sent theirs.
        _ = socket.takeAllMessages()
        notifier.ready()
        notifier.setStatus("late")
        expectNoDifference(socket.takeAllMessages(), [])
      }
    }

    @Test("Without the variable nothing is started, and all calls have no effect")
    func withoutSocket() {
      for environment in [[:], ["NOTIFY_SOCKET": ""]] as [[String: String]] {
        let bus = NonisolatedLifecycleBus(clock: clock)
        let notifier = bus.notifySystemd(
          environment: environment.merging(["WATCHDOG_USEC": "1000"]) { $1 }
        )
        #expect(!notifier.isActive)
        #expect(bus.diagnostics.liveSubscriptions.isEmpty)
        #expect(clock.timerCount == 0)
        notifier.ready()
        notifier.setStatus("text")
        notifier.cancel()
      }
    }

    @Test("The release of the bus is no end of the process")
    func releasedBus() throws {
      let socket = try DatagramSocket(.abstract)
      var bus: NonisolatedLifecycleBus? = NonisolatedLifecycleBus(clock: clock)
      bus?.notifySystemd(environment: socket.watchdogEnvironment)
      _ = socket.takeMessages()
      bus = nil
      clock.advance(by: .seconds(60))
      expectNoDifference(socket.takeMessages(), [])
      #expect(clock.timerCount == 0)
    }

    @Test("The socket is closed in programs that this one starts")
    func closeOnExec() throws {
      let socket = try NotifySocket(NotifyAddress("@lifecycle"))
      #expect(fcntl(socket.descriptor, F_GETFD) & FD_CLOEXEC != 0)
    }

    @Test("The variables are removed from the environment, if that is asked for")
    func unsets() async {
      // In a process of its own: other threads of this one read the environment.
      await #expect(processExitsWith: .success) {
        let socket = try DatagramSocket(.path)
        setenv("NOTIFY_SOCKET", socket.name, 1)
        setenv("WATCHDOG_USEC", "10000000", 1)
        let bus = NonisolatedLifecycleBus(clock: ManualClock())
        let notifier = bus.notifySystemd(unsetsEnvironment: true)
        #expect(notifier.isActive)
        #expect(getenv("NOTIFY_SOCKET") == nil)
        #expect(getenv("WATCHDOG_USEC") == nil)
        expectNoDifference(socket.takeMessages(), ["WATCHDOG=1"])
      }
    }

    // MARK: Watchdog

    @Test("Signs of life at half the watchdog's time, no others")
    func watchdog() throws {
      let variables = ["WATCHDOG_USEC": "10000000", "WATCHDOG_PID": "\(getpid())"]
      _ = try messages(.abstract, variables) { bus, notifier, socket in
        expectNoDifference(socket.takeMessages(), ["WATCHDOG=1"])
        clock.advance(by: .milliseconds(4_999))
        expectNoDifference(socket.takeMessages(), [])
        clock.advance(by: .milliseconds(1))
        expectNoDifference(socket.takeMessages(), ["WATCHDOG=1"])
        clock.advance(by: .seconds(50))
        expectNoDifference(socket.takeMessages().count, 10)
        bus.send(.willTerminate)
        expectNoDifference(socket.takeMessages().last, "WATCHDOG=1")
        clock.advance(by: .seconds(5))
        expectNoDifference(socket.takeMessages(), ["WATCHDOG=1"])
        notifier.cancel()
        clock.advance(by: .seconds(50))
        expectNoDifference(socket.takeMessages(), [])
      }
    }

    @Test("On a bus that has ended, the end is sent, and signs of life go on")
    func endedBus() throws {
      let (bus, socket) = (LifecycleBus(clock: clock), try DatagramSocket(.abstract))
      bus.send(.willTerminate)
      let notifier = bus.notifySystemd(environment: socket.watchdogEnvironment)
      expectNoDifference(socket.takeMessages(), ["STOPPING=1 STATUS=Stopping", "WATCHDOG=1"])
      clock.advance(by: .seconds(5))
      expectNoDifference(socket.takeMessages(), ["WATCHDOG=1"])
      notifier.cancel()
    }

    @Test("A hung observer stops the signs of life; they continue when it returns")
    func hungObserver() async throws {
      let (bus, socket) = (NonisolatedLifecycleBus(clock: clock), try DatagramSocket(.abstract))
      bus.notifySystemd(environment: socket.watchdogEnvironment)
      _ = socket.takeMessages()
      let (scope, gate, blocked) = (LifecycleScope(), ThreadGate(), AsyncGate())
      bus.addObserver(for: .systemDidWake, in: scope) { _ in
        blocked.open()
        gate.wait()
      }
      async let sent: Void = awaitOtherThread { _ = bus.send(.systemDidWake) }
      await blocked.opened()
      clock.advance(by: .seconds(60))
      expectNoDifference(socket.takeMessages(), [])
      gate.open()
      await sent
      expectNoDifference(socket.takeMessages(), ["WATCHDOG=1"])
      clock.advance(by: .seconds(5))
      expectNoDifference(socket.takeMessages(), ["WATCHDOG=1"])
    }

    @Test("A hung main thread stops the signs of life of a main-actor bus")
    func hungMainThread() async throws {
      let (bus, socket) = (LifecycleBus(clock: clock), try DatagramSocket(.abstract))
      bus.notifySystemd(environment: socket.watchdogEnvironment)
      _ = socket.takeMessages()
      // The main thread waits for another one here, on which time passes.
      onOtherThread { [clock] in clock.advance(by: .seconds(60)) }
      expectNoDifference(socket.takeMessages(), [])
      await mainQueueToDrain()
      expectNoDifference(socket.takeMessages(), ["WATCHDOG=1"])
    }

    @Test("A watchdog of another process leads to no sign of life")
    func otherProcess() throws {
      let variables = ["WATCHDOG_USEC": "10000000", "WATCHDOG_PID": "1"]
      let messages = try messages(.abstract, variables) { _, _, _ in
        clock.advance(by: .seconds(60))
      }
      expectNoDifference(messages, [])
    }
  }

  @Suite("systemd: the exit of the process", .serialized, .startsProcesses)
  struct SystemdExitTests {
    @Test(
      "A return from main is notified, with the bus and after its release",
      arguments: [[], ["released"]]
    )
    func returnFromMain(_ arguments: [String]) throws {
      let socket = try DatagramSocket(.abstract)
      let probe = try builtProgramPath("service-probe")
      let child = try PipedChild(
        ["env", "NOTIFY_SOCKET=\(socket.name)", probe, "returns"] + arguments
      )
      child.wait()
      expectNoDifference(socket.takeMessages(), ["READY=1", "STOPPING=1 STATUS=Stopping"])
    }
  }
#endif
