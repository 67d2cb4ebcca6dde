import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle

func differenceSample(print: Printer) {
  let clock = ManualClock()
  let start = clock.continuous
  clock.advance(by: .seconds(90))
  print(clock.continuous - start)  // 90.0 seconds
}

private func instantSamples(
  _ clock: ManualClock,
  in scope: LifecycleScope,
  trace: @escaping @Sendable (String) -> Void
) {
  do {
    let deadline = clock.continuous + .seconds(5)
    clock.schedule(at: deadline) { trace("five seconds") }.store(in: scope)
  }
  let deadline = clock.now.advanced(by: .seconds(5))
  let instant = LifecycleInstant(
    continuous: .boot + .seconds(90),
    timeAwake: .seconds(60),
    timeSince1970: .seconds(1_767_225_600)
  )
  _ = (deadline, instant)
}

func timerSample(trace: Printer) {
  let clock = ManualClock()
  let scope = LifecycleScope()
  clock.schedule(at: clock.continuous + .seconds(5)) { trace("five seconds") }.store(in: scope)
  clock.advance(by: .seconds(4))
  clock.advance(by: .seconds(1))  // "five seconds"
  scope.end()
}

// MARK: The manual clock

@MainActor
func stayWithClockSet() -> ManualClock {
  let clock = ManualClock()
  let bus = LifecycleBus(clock: clock)
  bus.send(.didEnterBackground)
  clock.advance(by: .seconds(30))
  clock.sleepDevice(for: .seconds(60))
  clock.stopProcess(for: .seconds(10))
  clock.setWallClock(by: .seconds(-3600))
  bus.send(.didBecomeActive)  // a stay of 100 s, 60 s of them asleep, the clock an hour back
  return clock
}

private func moveSamples(_ clock: ManualClock, _ texts: PassthroughSubject<String, Never>) {
  clock.restartDevice(for: .seconds(60))
  clock.run()  // as far as the last timer needs
  let searches = texts.debounce(for: .milliseconds(300), scheduler: clock.scheduler)
  _ = searches
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
func executorSample(trace: Printer) {
  let clock = ManualClock()
  let start = clock.now
  let task = Task(executorPreference: clock) {
    for _ in 1...3 {
      try await clock.sleep(for: .seconds(1))
      trace("\(start.duration(to: clock.now))")
    }
  }
  clock.advance(by: .seconds(3))  // the task sees 1, 2 and 3 s
  task.cancel()
}

private func sleepSample(on bus: LifecycleBus) async throws {
  try await bus.clock.sleep(for: .seconds(10))
}

func sleeperSample(trace: Printer) async throws {
  let clock = ManualClock()
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

@MainActor
private final class Usage {
  private var timeAway = Duration.zero

  init(_ bus: LifecycleBus, in scope: LifecycleScope) {
    bus.onReturn(in: scope) { [weak self] stay in self?.timeAway += stay.timeAway }
  }
}

@MainActor
private func staySamples(
  _ bus: LifecycleBus,
  in scope: LifecycleScope,
  lock: @escaping @MainActor () -> Void,
  reload: @escaping @MainActor (String) -> Void
) {
  bus.onReturn(in: scope) { stay in
    if stay.timeAway > .seconds(300) { lock() }
    if abs(stay.wallClockShift / .seconds(1)) > 30 { reload("the clock was set") }
  }
}

// MARK: Recipes

@MainActor
final class Stopwatch {
  private(set) var isRunning = false
  private var earlier = Duration.zero
  private var start: ContinuousInstant
  private let clock: any LifecycleClock

  init(of bus: LifecycleBus) {
    clock = bus.clock
    start = clock.continuous
  }

  var elapsed: Duration { isRunning ? earlier + (clock.continuous - start) : earlier }

  func resume() {
    if !isRunning { (isRunning, start) = (true, clock.continuous) }
  }

  func pause() {
    (earlier, isRunning) = (elapsed, false)
  }
}

@MainActor
final class ChatModel {
  private(set) var isOnline = false
  private let scope = LifecycleScope("chat")

  init(bus: LifecycleBus, hasNetwork: some Publisher<Bool, Never>) {
    hasNetwork.whilePhase(.foreground, of: bus)
      .sink { [weak self] in self?.isOnline = $0 }
      .store(in: scope)
    bus.addObserver(for: .didEnterBackground, in: scope) { [weak self] _ in
      self?.isOnline = false
    }
  }
}
