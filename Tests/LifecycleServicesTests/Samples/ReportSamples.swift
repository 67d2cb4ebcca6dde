#if Services
  import LifecycleServices
  import LifecycleSources
  import Logging
  import ReactiveLifecycle

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
