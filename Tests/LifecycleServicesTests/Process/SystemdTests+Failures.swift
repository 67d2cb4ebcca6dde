#if Services
  import CustomDump
  import Foundation
  import LifecycleTesting
  import ReactiveLifecycle
  import TestSupport
  import Testing

  @testable import LifecycleServices

  extension SystemdTests {
    @Test("Names at the limit are used, longer and other ones are errors that say what to do")
    func names() throws {
      let limit = NotifyAddress.limit
      #expect(throws: Never.self) {
        _ = try NotifyAddress("@" + String(repeating: "n", count: limit - 1))
        _ = try NotifyAddress("/" + String(repeating: "n", count: limit - 2))
      }
      for (name, text) in [
        ("@" + String(repeating: "n", count: limit), "at most \(limit)"),
        ("/" + String(repeating: "n", count: limit - 1), "at most \(limit - 1)"),
        ("vsock:2:1234", "neither a path"),
      ] {
        let (bus, trace) = (NonisolatedLifecycleBus(clock: clock), Trace())
        let token = bus.addObserver { trace("\($0.kind)") }
        let error = #expect(throws: SystemdNotifier.StartError.self) {
          try bus.notifySystemd(environment: ["NOTIFY_SOCKET": name])
        }
        #expect(error?.description.contains(text) == true)
        bus.send(.didFinishLaunching)
        expectNoDifference(trace.lines, ["didFinishLaunching"])
        token.cancel()
      }
    }

    @Test("Without a descriptor for the socket, that is an error that says what to do")
    func noDescriptor() async {
      // In another process, which can open no descriptor meanwhile.
      await #expect(processExitsWith: .success) {
        var limit = rlimit()
        getrlimit(openFiles, &limit)
        var none = limit
        none.rlim_cur = 0
        setrlimit(openFiles, &none)
        let bus = NonisolatedLifecycleBus(clock: ManualClock())
        let result = Result { () throws(SystemdNotifier.StartError) in
          try bus.notifySystemd(environment: ["NOTIFY_SOCKET": "@lifecycle"])
        }
        setrlimit(openFiles, &limit)
        guard case .failure(let error) = result else {
          Issue.record("The socket was opened.")
          return
        }
        #expect(error.reason == .socket(errno: EMFILE))
        #expect(error.description.contains("raise their limit (LimitNOFILE=)"))
      }
    }

    private var nobody: [String: String] {
      ["NOTIFY_SOCKET": "@lifecycle-nobody-\(getpid())"]
    }

    @Test("A message that does not arrive is reported once, with each of its fields")
    func failure() throws {
      let failures = Collector<SystemdNotifier.SendError>()
      let bus = NonisolatedLifecycleBus(clock: clock)
      let notifier = try bus.notifySystemd(environment: nobody, onFailure: { failures($0) })
      bus.send(.willTerminate)
      notifier.setStatus("text")
      let message = "STOPPING=1\nSTATUS=Stopping"
      expectNoDifference(failures.values, [.init(message: message, errno: ECONNREFUSED)])
      #expect(failures.values[0].description.contains(#" "STOPPING=1, STATUS=Stopping": "#))
    }

    @Test("By default, that is an issue with the message, the reason and the remedy")
    func defaultReport() throws {
      let bus = NonisolatedLifecycleBus(clock: clock)
      let issues = try reportedIssues {
        let notifier = try bus.notifySystemd(environment: nobody)
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
        let failures = Collector<SystemdNotifier.SendError>()
        let buses = [NonisolatedLifecycleBus(clock: clock), NonisolatedLifecycleBus(clock: clock)]
        let notifiers = try buses.map {
          try $0.notifySystemd(
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
        expectNoDifference(failures.values.map(\.errno), [EMSGSIZE, EAGAIN])
        #expect(failures.values.first?.description.contains("Shorten the status text") == true)
        #expect(failures.values.last?.description.contains("queue was full") == true)
        // A second, by the clock of the kernel's timers.
        #expect(delay >= .milliseconds(900))
        if delay >= .seconds(2) { throw TooLate(delay) }
        withExtendedLifetime(buses) {}
      }
    }
  }

  #if os(Linux)
    private let openFiles = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #else
    private let openFiles = RLIMIT_NOFILE
  #endif
#endif
