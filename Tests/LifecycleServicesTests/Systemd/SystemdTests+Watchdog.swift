#if Services
  import CustomDump
  import Foundation
  import LifecycleServices
  import LifecycleTesting
  import ReactiveLifecycle
  import TestSupport
  import Testing

  extension SystemdTests {
    @Test("Signs of life at half the watchdog's time, no others", arguments: BusKind.allCases)
    func watchdog(kind: BusKind) throws {
      let variables = ["WATCHDOG_USEC": "10000000", "WATCHDOG_PID": "\(getpid())"]
      _ = try messages(kind, .abstract, variables) { bus, notifier, socket in
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

    @Test(
      "On a bus that has ended, the end is sent, and signs of life go on",
      arguments: BusKind.allCases
    )
    func endedBus(kind: BusKind) throws {
      let (bus, socket) = (kind.make(clock: clock), try DatagramSocket(.abstract))
      bus.send(.willTerminate)
      let notifier = try bus.notifySystemd(
        environment: ["NOTIFY_SOCKET": socket.name, "WATCHDOG_USEC": "10000000"]
      )
      expectNoDifference(socket.takeMessages(), ["STOPPING=1 STATUS=Stopping", "WATCHDOG=1"])
      clock.advance(by: .seconds(5))
      expectNoDifference(socket.takeMessages(), ["WATCHDOG=1"])
      notifier.cancel()
    }

    @Test("A notifier that is cancelled sends no message", arguments: BusKind.allCases)
    func cancelled(kind: BusKind) throws {
      let variables = ["WATCHDOG_USEC": "10000000"]
      let messages = try messages(kind, .abstract, variables) { bus, notifier, socket in
        expectNoDifference(socket.takeMessages(), ["WATCHDOG=1"])
        notifier.cancel()
        bus.send(.didBecomeActive)
        notifier.ready()
        notifier.setStatus("text")
        bus.send(.reloadRequest)
        clock.advance(by: .seconds(50))
        bus.send(.willTerminate)
      }
      expectNoDifference(messages, [])
    }

    @Test("A hung observer stops the signs of life; they continue when it returns")
    func hungObserver() async throws {
      let (bus, socket) = (NonisolatedLifecycleBus(clock: clock), try DatagramSocket(.abstract))
      try bus.notifySystemd(
        environment: ["NOTIFY_SOCKET": socket.name, "WATCHDOG_USEC": "10000000"]
      )
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
      try bus.notifySystemd(
        environment: ["NOTIFY_SOCKET": socket.name, "WATCHDOG_USEC": "10000000"]
      )
      _ = socket.takeMessages()
      // The main thread waits for another one here, on which time passes.
      onOtherThread { [clock] in clock.advance(by: .seconds(60)) }
      expectNoDifference(socket.takeMessages(), [])
      await mainQueueToDrain()
      expectNoDifference(socket.takeMessages(), ["WATCHDOG=1"])
    }

    @Test("The watchdog of another process is not this one's")
    func otherProcess() throws {
      let variables = ["WATCHDOG_USEC": "10000000", "WATCHDOG_PID": "1"]
      let messages = try messages(.nonisolated, .abstract, variables) { _, _, _ in
        clock.advance(by: .seconds(60))
      }
      expectNoDifference(messages, [])
    }
  }
#endif
