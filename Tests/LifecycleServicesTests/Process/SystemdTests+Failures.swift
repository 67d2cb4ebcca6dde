#if Services
  import CustomDump
  import Foundation
  import LifecycleCore
  import LifecycleTesting
  import TestSupport
  import Testing

  @testable import LifecycleServices

  extension SystemdTests {
    @Test(
      "Names at the limit are used; longer and other ones are reported, and the program goes on"
    )
    func names() {
      let limit = NotifyAddress.limit
      #expect(throws: Never.self) {
        _ = try NotifyAddress("@" + String(repeating: "n", count: limit - 1))
        _ = try NotifyAddress("/" + String(repeating: "n", count: limit - 2))
      }
      for (name, text) in [
        ("@" + String(repeating: "n", count: limit), "at most \(limit)"),
        ("/" + String(repeating: "n", count: limit - 1), "at most \(limit - 1)"),
        ("vsock:2:1234", "neither a path"), ("notify", "neither a path"),
      ] {
        let (bus, trace) = (NonisolatedLifecycleBus(clock: clock), Trace())
        let failures = Collector<SystemdNotifier.Failure>()
        let token = bus.addObserver { trace("\($0.kind)") }
        let notifier = bus.notifySystemd(
          environment: ["NOTIFY_SOCKET": name, "WATCHDOG_USEC": "1000"],
          onFailure: { failures($0) }
        )
        #expect(!notifier.isActive)
        expectNoDifference(failures.values.map { $0.description.contains(text) }, [true])
        bus.send(.didFinishLaunching)
        notifier.ready()
        expectNoDifference(trace.lines, ["didFinishLaunching"])
        expectNoDifference(failures.values.count, 1)
        #expect(clock.timerCount == 0)
        token.cancel()
      }
    }

    @Test("Without a descriptor for the socket, that is reported with what to do")
    func noDescriptor() async {
      // In another process, which can open no descriptor meanwhile.
      await #expect(processExitsWith: .success) {
        var limit = rlimit()
        getrlimit(openFiles, &limit)
        var none = limit
        none.rlim_cur = 0
        setrlimit(openFiles, &none)
        let bus = NonisolatedLifecycleBus(clock: ManualClock())
        let failures = Collector<SystemdNotifier.Failure>()
        bus.notifySystemd(
          environment: ["NOTIFY_SOCKET": "@lifecycle"],
          onFailure: { failures($0) }
        )
        setrlimit(openFiles, &limit)
        expectNoDifference(failures.values, [.socket(errno: EMFILE)])
        #expect(failures.values[0].description.contains("raise their limit (LimitNOFILE=)"))
      }
    }

    private var nobody: [String: String] {
      ["NOTIFY_SOCKET": "@lifecycle-nobody-\(getpid())"]
    }

    @Test("A message that does not arrive is reported once, with each of its fields")
    func failure() {
      let failures = Collector<SystemdNotifier.Failure>()
      let bus = NonisolatedLifecycleBus(clock: clock)
      let notifier = bus.notifySystemd(environment: nobody, onFailure: { failures($0) })
      bus.send(.willTerminate)
      notifier.setStatus("text")
      let message = "STOPPING=1\nSTATUS=Stopping"
      expectNoDifference(failures.values, [.message(message, errno: ECONNREFUSED)])
      #expect(failures.values[0].description.contains(#" "STOPPING=1, STATUS=Stopping": "#))
    }

    @Test("By default, a failed message is an issue with the message, the reason and the remedy")
    func defaultReport() {
      let bus = NonisolatedLifecycleBus(clock: clock)
      let issues = reportedIssues {
        let notifier = bus.notifySystemd(environment: nobody)
        notifier.ready()
        notifier.setStatus("text")
      }
      expectNoDifference(
        issues.map(\.message),
        [
          """
          The service manager could not be notified of "READY=1": Connection refused. Check that \
          $NOTIFY_SOCKET names a socket that exists where the process runs, and that the process \
          may write to it.
          """
        ]
      )
    }

    @Test("A message that is too long, or finds a full queue, is reported with its own remedy")
    func remedies() throws {
      try untilInTime {
        let socket = try DatagramSocket(.abstract)
        let failures = Collector<SystemdNotifier.Failure>()
        let buses = [NonisolatedLifecycleBus(clock: clock), NonisolatedLifecycleBus(clock: clock)]
        let notifiers = buses.map {
          $0.notifySystemd(
            environment: ["NOTIFY_SOCKET": socket.name],
            onFailure: { failures($0) }
          )
        }
        notifiers[0].setStatus(String(repeating: "long ", count: 100_000))
        var delay = Duration.zero
        // No more than any system's queue holds.
        for _ in 0..<100_000 where failures.values.count < 2 {
          delay = ContinuousClock().measure { notifiers[1].setStatus("text") }
        }
        let errors = failures.values.map { failure -> CInt? in
          if case .message(_, let errno) = failure { errno } else { nil }
        }
        expectNoDifference(errors, [EMSGSIZE, EAGAIN])
        #expect(failures.values.first?.description.contains("Shorten the status text") == true)
        #expect(failures.values.last?.description.contains("queue was full") == true)
        // A second, by the clock of the kernel's timers.
        #expect(delay >= .milliseconds(900))
        if delay >= .seconds(2) { throw TooLate(delay) }
        withExtendedLifetime(buses) {}
      }
    }

    @Test("A manager that reads nothing is waited for once, and is notified again when it has read")
    func unreadQueue() throws {
      try untilInTime {
        let socket = try DatagramSocket(.abstract)
        try socket.fill()
        let failures = Collector<SystemdNotifier.Failure>()
        let bus = NonisolatedLifecycleBus(clock: clock)
        bus.notifySystemd(
          environment: ["NOTIFY_SOCKET": socket.name],
          onFailure: { failures($0) }
        )
        // The first message waits, and the others of ten reloads don't.
        let delay = ContinuousClock().measure {
          bus.send(.didBecomeActive)
          for _ in 0..<10 { bus.send(.reloadRequest) }
        }
        expectNoDifference(failures.values, [.message("READY=1", errno: EAGAIN)])
        if delay >= .seconds(2) { throw TooLate(delay) }
        _ = socket.takeMessages()
        bus.send(.willTerminate)
        expectNoDifference(socket.takeMessages(), ["STOPPING=1 STATUS=Stopping"])
      }
    }

    @Test("While a message waits, the observer that is running is named with the message")
    func waitingMessage() throws {
      try untilInTime {
        let socket = try DatagramSocket(.abstract)
        try socket.fill()
        let failures = Collector<SystemdNotifier.Failure>()
        let bus = NonisolatedLifecycleBus(clock: clock)
        let line = #line + 1
        bus.notifySystemd(
          environment: ["NOTIFY_SOCKET": socket.name],
          onFailure: { failures($0) }
        )
        let end = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
          bus.send(.willTerminate)
          end.signal()
        }
        var running = ""
        while !running.contains("message"), failures.values.isEmpty {
          running = bus.diagnostics.runningObserver.map { "\($0)" } ?? ""
        }
        _ = socket.takeMessages()
        end.wait()
        if !failures.values.isEmpty { throw TooLate(running) }
        expectNoDifference(
          running,
          """
          \(#fileID):\(line) (message "STOPPING=1, STATUS=Stopping" to the service manager)
          """
        )
      }
    }
  }

  #if os(Linux)
    private let openFiles = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #else
    private let openFiles = RLIMIT_NOFILE
  #endif
#endif
