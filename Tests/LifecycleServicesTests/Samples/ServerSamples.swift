#if Services
  import LifecycleCore
  import LifecycleProcess
  import LifecycleServices
  import LifecycleSupport
  import LifecycleSystem
  import Logging
  import TestSupport

  /// The samples of a server, with a part that counts what is asked of it.
  struct ServerSamples: Sendable {
    final class Part: Sendable {
      private let count = Locked(0)
      /// Opened when mail is being sent.
      let sending = AsyncGate()

      var calls: Int { count.withLock { $0 } }

      func reload() { count.withLock { $0 += 1 } }

      func shrink(isCritical: Bool) { count.withLock { $0 += isCritical ? 2 : 1 } }

      /// Returns when the task is cancelled.
      func sendQueue() async throws {
        sending.open()
        try await Task.sleep(for: .seconds(86_400))
      }
    }

    let bus: NonisolatedLifecycleBus
    let scope: LifecycleScope
    let logger: Logger
    let part = Part()

    func readiness() -> Int { bus.phase >= .background ? 200 : 503 }

    func reload() throws {
      let settings = part
      bus.addObserver(for: .reloadRequest, in: scope) { _ in settings.reload() }
      try bus.connect(.processSignals(reload: .hangUp), in: scope)
    }

    func sendMail() async throws {
      let mailer = part
      try await bus.repeatWhile(.atLeast(.background)) {
        try await mailer.sendQueue()
      }
    }

    func noticeMachine() throws {
      let cache = part
      let machine = try bus.connectSystem(in: scope)
      logger.info("\(machine)")
      bus.addObserver(for: .didReceiveMemoryWarning, in: scope) { event in
        cache.shrink(isCritical: event.memoryPressure == .critical)
      }
    }
  }
#endif
