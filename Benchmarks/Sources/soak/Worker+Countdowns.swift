import LifecycleBackgroundWork
import LifecycleCombine
import LifecycleCountdowns
import ReactiveLifecycle

extension Worker {
  mutating func countDown(on bus: any LifecycleBusProtocol) {
    let duration = Duration.milliseconds(Int.random(in: 1...50, using: &random))
    let countdown = Countdown(duration, of: bus, tickInterval: .milliseconds(5))
    let faults = world.faults
    let canary = Canary(world.census)
    if faults.makes(.object) { _ = Unmanaged.passRetained(canary) }
    let sink = countdown.states.sink { state in
      withExtendedLifetime(canary) {
        faults.check(.features, state.remaining >= .zero, "\(state.remaining) left")
        faults.check(
          .features,
          state.status != .finished || state.remaining == .zero,
          "finished with \(state.remaining) left"
        )
      }
    }
    countdown.start()
    countdowns.append((countdown, sink))
  }

  mutating func changeCountdown() {
    guard let (countdown, sink) = remove(from: \.countdowns) else { return }
    switch Int.random(in: 0..<6, using: &random) {
    case 0: countdown.pause()
    case 1: countdown.resume()
    case 2: countdown.extend(by: .milliseconds(3))
    case 3: countdown.restart()
    case 4: return countdown.cancel()
    default: return
    }
    countdowns.append((countdown, sink))
  }

  // MARK: Operators

  mutating func subscribeToOperators(of observed: ObservedBus) {
    let phases = world.operatorCheck(.joining, of: observed)
    operatorSinks.append(observed.bus.phases.sink { phases.receive($0) })
    phases.didSubscribe()
    let settled = world.operatorCheck(of: observed)
    operatorSinks.append(
      observed.bus.phases.settle(for: .milliseconds(2)).sink { settled.receive($0) }
    )
    settled.didSubscribe()
    let active = world.operatorCheck(of: observed)
    operatorSinks.append(activeEvents(of: observed.bus) { active.receive($0) })
    let rested = world.operatorCheck(of: observed)
    operatorSinks.append(restedEvents(of: observed.bus) { rested.receive($0) })
  }

  private func activeEvents(
    of bus: some LifecycleBusProtocol,
    _ body: @escaping (LifecycleEvent) -> Void
  ) -> AnyCancellable {
    bus.events.whilePhase(.atLeast(.active), of: bus).sink(receiveValue: body)
  }

  private mutating func restedEvents(
    of bus: some LifecycleBusProtocol,
    _ body: @escaping (LifecycleEvent) -> Void
  ) -> AnyCancellable {
    let tasks = world.coordinators.randomElement(using: &random)!
    return bus.events
      .dutyCycle(DutyCycle(burst: 3, rest: .milliseconds(2)), of: bus, tasks: tasks) { _ in }
      .sink(receiveValue: body)
  }

  // MARK: Background work

  mutating func beginTask() -> BackgroundTask {
    world.coordinators.randomElement(using: &random)!.beginTask(named: "soak")
  }
}
