#if Services
  import LifecycleCore
  import LifecycleProcess
  import LifecycleServices
  import Logging
  import ServiceLifecycle
  import UnixSignals

  private struct HTTPServer: Service {
    let onListening: @Sendable () -> Void

    func run() async throws { onListening() }
  }

  @MainActor
  func serverSample(_ logger: Logger, _ database: some Service) async throws {
    let bus = LifecycleBus()
    let scope = LifecycleScope("server")
    let metrics = LifecycleMetrics()
    bus.log(to: logger, in: scope)
    bus.export(to: metrics, in: scope)
    let signals = try bus.connect(.processSignals(onOverrun: { $0.log(to: logger) }))
    let manager = bus.notifySystemd(readyWhen: nil)
    let server = HTTPServer(onListening: { manager.ready() })
    try await bus.runServices([database, server], logger: logger)
    signals.cancel()
    scope.end()
  }

  @MainActor
  func runServicesSample(
    _ logger: Logger,
    _ database: some Service,
    _ server: some Service,
    _ scope: LifecycleScope
  ) async throws -> LifecyclePhase {
    let bus = LifecycleBus()
    try bus.connect(.processSignals(), in: scope)
    try await bus.runServices([database, server], logger: logger)
    return bus.phase
  }

  func configurationSample(
    _ bus: some LifecycleBusProtocol,
    _ logger: Logger,
    _ database: some Service,
    _ server: some Service
  ) async throws {
    let configuration = ServiceGroupConfiguration(
      services: [database, server],
      gracefulShutdownSignals: [.sigterm, .sigint],
      logger: logger
    )
    try await bus.runServices(configuration)
  }

  func lifecycleServiceSample(
    _ bus: some LifecycleBusProtocol,
    _ logger: Logger,
    _ server: some Service
  ) async throws {
    let group = ServiceGroup(
      services: [server, LifecycleService(bus)],
      gracefulShutdownSignals: [.sigterm, .sigint],
      logger: logger
    )
    try await group.run()
  }

  func logSample(_ bus: some LifecycleBusProtocol, _ logger: Logger, _ scope: LifecycleScope) {
    bus.log(to: logger, in: scope)
  }

  func overrunLogSample(
    _ bus: some LifecycleBusProtocol,
    _ logger: Logger,
    _ scope: LifecycleScope
  ) throws {
    try bus.connect(.processSignals(onOverrun: { $0.log(to: logger) }))
      .store(in: scope)
  }

  func metricsSample(_ bus: some LifecycleBusProtocol, _ scope: LifecycleScope) throws {
    let metrics = LifecycleMetrics()
    bus.export(to: metrics, in: scope)
    try bus.connect(.processSignals(onOverrun: { $0.export(to: metrics) }))
      .store(in: scope)
  }

  func systemdSample(_ bus: some LifecycleBusProtocol) {
    bus.notifySystemd()
  }
#endif
