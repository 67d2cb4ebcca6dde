import FlyingFox
import FlyingSocks
import Logging
import ServiceLifecycle

/// A server that finishes the requests that it has accepted, then ends.
struct HTTPService: Service {
  private let server: HTTPServer
  private let pool: DrainingPool
  private let plan: DrainPlan
  private let logger: Logger
  private let onListening: @Sendable (UInt16) -> Void

  /// - Parameters:
  ///   - address: The address to listen to.
  ///   - plan: The times of the shutdown.
  ///   - handler: Responds to requests.
  ///   - logger: Receives the steps of the shutdown.
  ///   - onListening: Called once with the port, when the server accepts connections.
  init(
    address: some SocketAddress,
    plan: DrainPlan,
    handler: some HTTPHandler,
    logger: Logger,
    onListening: @escaping @Sendable (UInt16) -> Void
  ) {
    pool = DrainingPool(base: HTTPServer.defaultPool())
    server = HTTPServer(
      config: HTTPServer.Configuration(address: address, pool: pool, logger: .disabled),
      handler: handler
    )
    self.plan = plan
    self.logger = logger
    self.onListening = onListening
  }

  /// Serves until the graceful shutdown has ended.
  ///
  /// - Throws: The error of a socket that cannot be opened.
  func run() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await serve() }
      group.addTask {
        try await server.waitUntilListening()
        if let port = await server.listeningAddress?.port { onListening(port) }
        try await gracefulShutdown()
        try await drain()
      }
      // The first is the server, or the deadline.
      try await group.next()
      group.cancelAll()
    }
  }

  private func serve() async throws {
    do {
      try await server.run()
    } catch SocketError.disconnected where pool.isDraining {
      logger.info("all requests have been answered")
    }
  }

  /// Returns at the deadline. The server ends earlier if it can.
  private func drain() async throws {
    let deadline = ContinuousClock.now + plan.deadline
    logger.info("shutting down", metadata: ["delay": "\(plan.delay)"])
    try await Task.sleep(for: plan.delay)
    do {
      try pool.listener?.discardNewConnections()
      try await Task.sleep(for: DrainPlan.handshake)
    } catch let error where !(error is CancellationError) {
      logger.notice("A connection that arrives as the listener closes is reset: \(error)")
    }
    pool.drain(allowedSilence: plan.allowedSilence)
    try await Task.sleep(until: deadline)
    logger.error("The deadline has passed: the requests that are in progress are cancelled.")
  }
}

extension Socket.Address {
  var port: UInt16? {
    switch self {
    case .ip4(_, let port), .ip6(_, let port): port
    case .unix: nil
    }
  }
}
