import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle

/// What the samples of instants print and trace.
func instantSamples() -> [String] {
  let log = Locked<[String]>([])
  @Sendable func trace(_ line: String) { log.withLock { $0.append(line) } }
  func print(_ value: some Any) { trace("\(value)") }

  let clock = ManualClock()
  differenceSample(clock, print)
  let timer = deadlineSample(clock, trace)
  clock.advance(by: .seconds(5))
  timer.cancel()
  let instant = readingsSample()
  print(instant.continuous)
  return log.withLock { $0 }
}

private func differenceSample(_ clock: ManualClock, _ print: (Duration) -> Void) {
  let start = clock.continuous
  clock.advance(by: .seconds(90))
  print(clock.continuous - start)  // 90.0 seconds
}

private func deadlineSample(
  _ clock: ManualClock,
  _ trace: @escaping @Sendable (String) -> Void
) -> LifecycleCancellable {
  let deadline = clock.continuous + .seconds(5)
  let timer = clock.schedule(at: deadline) { trace("five seconds") }
  return timer
}

private func readingsSample() -> LifecycleInstant {
  let instant = LifecycleInstant(
    continuous: .boot + .seconds(90),
    timeAwake: .seconds(60),
    timeSince1970: .seconds(1_767_225_600)
  )
  return instant
}
