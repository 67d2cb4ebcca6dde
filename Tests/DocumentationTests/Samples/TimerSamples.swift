import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle

/// Whether a timer was called when its deadline came, and when it had been cancelled; what a scope's end
/// has undone.
func timerSamples() -> [String] {
  let log = Locked<[String]>([])
  @Sendable func trace(_ line: String) { log.withLock { $0.append(line) } }
  cancelledTimer(trace)
  manualTimer(trace)
  scheduledTimer(trace)
  try? scopedCancellable(trace)
  return log.withLock { $0 }
}

private func cancelledTimer(_ trace: @escaping @Sendable (String) -> Void) {
  let clock = ManualClock()
  let timer = clock.schedule(at: clock.continuous + .seconds(5)) { trace("five seconds") }
  timer.cancel()
  clock.advance(by: .seconds(6))
}

private func manualTimer(_ trace: @escaping @Sendable (String) -> Void) {
  let clock = ManualClock()
  let timer = clock.schedule(at: clock.continuous + .seconds(5)) { trace("five seconds") }
  clock.advance(by: .seconds(4))
  clock.advance(by: .seconds(1))  // "five seconds"
  timer.cancel()
}

private func scheduledTimer(_ trace: @escaping @Sendable (String) -> Void) {
  let manual = ManualClock()
  let clock: any LifecycleClock = manual
  let timer = clock.schedule(at: clock.continuous + .seconds(5)) { trace("five seconds") }
  manual.advance(by: .seconds(6))
  timer.cancel()
}

private struct Socket: Sendable {
  let close: @Sendable () -> Void
}

private struct SocketServer: Sendable {
  let trace: @Sendable (String) -> Void

  func open() throws -> Socket { Socket { trace("closed") } }
}

private func scopedCancellable(_ trace: @escaping @Sendable (String) -> Void) throws {
  let server = SocketServer(trace: trace)
  let scope = LifecycleScope()
  let socket = try server.open()
  LifecycleCancellable { socket.close() }.store(in: scope)
  scope.end()
}
