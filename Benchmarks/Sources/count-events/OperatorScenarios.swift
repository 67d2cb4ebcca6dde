import LifecycleBackgroundWork
import LifecycleCombine
import ReactiveLifecycle

/// Sends values of a subject through an operator that lets them pass in the phase `active`.
func sendValues(
  _ count: Int,
  through makeOperator: (PassthroughSubject<Int, Never>, LifecycleBus) -> AnyPublisher<Int, Never>
) -> Performance {
  let bus = LifecycleBus()
  bus.send(.didBecomeActive, at: .fixed)
  let subject = PassthroughSubject<Int, Never>()
  let tally = Tally()
  let cancellable = makeOperator(subject, bus).sink { tally.add($0) }
  for _ in 0..<count { subject.send(1) }
  return Performance(holding: (bus, cancellable), .init("observer", [tally], calls: count))
}

/// Sends values to a gate that keeps half of them and opens, and to one that keeps all, which are
/// dropped at the end of the bus.
func keepValues(_ count: Int) -> Performance {
  let bus = LifecycleBus()
  bus.send(.willEnterForeground, at: .fixed)
  let subject = PassthroughSubject<Int, Never>()
  let (opened, ended) = (Tally(), Tally())
  let cancellables = [
    subject.gate(
      .atMost(.background),
      of: bus,
      buffering: .all(limit: count / 2, whenFull: .dropOldest)
    ).sink { opened.add($0) },
    subject.gate(
      .atLeast(.active),
      of: bus,
      buffering: .all(limit: .max, whenFull: .dropNewest)
    ).sink { ended.add($0) },
  ]
  for _ in 0..<count { subject.send(1) }
  bus.send(.didEnterBackground, at: .fixed)
  bus.send(.willTerminate, at: .fixed)
  return Performance(
    holding: (bus, cancellables),
    .init("gate that opens", [opened], calls: count / 2),
    .init("gate that ends", [ended], calls: 0)
  )
}

/// Sends values through operators, sixteen in each stay in the background. One operator subscribes
/// to others for the time of the stay, and one keeps the latest value until the stay ends.
func sendValuesInStays(_ count: Int) -> Performance {
  let bus = LifecycleBus()
  bus.send(.didBecomeActive, at: .fixed)
  let subject = PassthroughSubject<Int, Never>()
  let tally = Tally()
  let cycle = DutyCycle(burst: 100, rest: .seconds(1))
  let cancellable = subject.prefix(until: [.willTerminate], of: bus)
    .whilePhase(.atMost(.background), of: bus)
    .withPhase(of: bus)
    .dutyCycle(cycle, of: bus, tasks: BackgroundTaskCoordinator(host: NoBackgroundTime()))
    .sink { tally.add($0.value) }
  for index in 0..<count {
    if index.isMultiple(of: 16) { bus.send(.didEnterBackground, at: .fixed) }
    subject.send(1)
    if index % 16 == 15 { bus.send(.didBecomeActive, at: .fixed) }
  }
  return Performance(holding: (bus, cancellable), .init("observer", [tally], calls: count / 16))
}

/// A host without time, for bursts that never end in a rest.
private struct NoBackgroundTime: BackgroundTaskHost {
  func beginTask(
    named name: String,
    onExpiration: @escaping @MainActor @Sendable () -> Void
  ) -> BackgroundTaskID? { nil }

  func endTask(_ task: BackgroundTaskID) {}

  @MainActor var remainingTime: Duration? { nil }
}
