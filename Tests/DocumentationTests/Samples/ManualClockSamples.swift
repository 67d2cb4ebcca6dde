import LifecycleCombine
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle

@MainActor
func manualClockSample() -> BackgroundStay? {
  let clock = ManualClock()
  let bus = LifecycleBus(clock: clock)
  bus.send(.didEnterBackground)
  clock.advance(by: .seconds(30))
  clock.sleepDevice(for: .seconds(60))
  bus.send(.didBecomeActive)  // a stay of 90 s, 60 s of them asleep
  return observedStay(bus, clock)
}

/// The stay of one more round, which the sample itself has no observer for.
@MainActor
private func observedStay(_ bus: LifecycleBus, _ clock: ManualClock) -> BackgroundStay? {
  var observed: BackgroundStay?
  let scope = LifecycleScope()
  bus.onReturn(in: scope) { stay in observed = stay }
  bus.send(.didEnterBackground)
  clock.advance(by: .seconds(30))
  clock.sleepDevice(for: .seconds(60))
  bus.send(.didBecomeActive)
  return observed
}

/// What the samples of moves, tasks and schedulers trace.
func manualClockMoveSamples() async throws -> [String] {
  let clock = ManualClock()
  let log = Locked<[String]>([])
  @Sendable func trace(_ line: String) { log.withLock { $0.append(line) } }
  restartSample(clock)
  trace("\(clock.bootID!.rawValue)")
  advanceToSample(clock)
  trace("\(clock.now.continuous)")
  let timer = clock.schedule(at: instantSample(clock).continuous) { trace("deadline") }
  runSample(clock)
  timer.cancel()
  clockTaskSample(clock, trace)
  try await mainActorTaskSample(clock, trace)
  debounceSample(clock, trace)
  return log.withLock { $0 }
}

private func restartSample(_ clock: ManualClock) {
  clock.restartDevice(for: .seconds(60))
}

private func advanceToSample(_ clock: ManualClock) {
  let end = clock.now.advanced(by: .seconds(5))
  clock.advance(to: end)
}

private func instantSample(_ clock: ManualClock) -> LifecycleInstant {
  let deadline = clock.now.advanced(by: .seconds(5))
  return deadline
}

private func runSample(_ clock: ManualClock) {
  clock.run()  // as far as the last timer needs
}

private func clockTaskSample(_ clock: ManualClock, _ trace: @escaping @Sendable (String) -> Void) {
  let start = clock.now
  let task = Task(executorPreference: clock) {
    for _ in 1...3 {
      try await Task.sleep(for: .seconds(1), clock: clock)
      trace("\(start.duration(to: clock.now))")
    }
  }
  clock.advance(by: .seconds(3))  // the task sees 1, 2 and 3 s
  task.cancel()
}

private func mainActorTaskSample(
  _ clock: ManualClock,
  _ trace: @escaping @Sendable (String) -> Void
) async throws {
  let task = Task { @MainActor in
    try await Task.sleep(for: .seconds(1), clock: clock)
    trace("one second")
    try await Task.sleep(for: .seconds(1), clock: clock)
    trace("two seconds")
  }
  try await clock.waitForSleepers()
  clock.advance(by: .seconds(1))
  try await clock.waitForSleepers()  // "one second"
  clock.advance(by: .seconds(1))
  try await task.value  // "two seconds"
}

private func debounceSample(_ clock: ManualClock, _ trace: @escaping (String) -> Void) {
  let texts = PassthroughSubject<String, Never>()
  let searches = texts.debounce(for: .milliseconds(300), scheduler: clock.scheduler)
  let cancellable = searches.sink { trace($0) }
  texts.send("lif")
  texts.send("life")
  clock.advance(by: .milliseconds(300))
  cancellable.cancel()
}
