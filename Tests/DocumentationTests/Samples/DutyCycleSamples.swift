import LifecycleBackgroundWork
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle

/// What the samples of duty cycles take for granted, recording what they do.
@MainActor
struct DutyCycleSamples {
  final class Transcript {
    var lines: [String] = []
  }

  struct Location {
    let updates = PassthroughSubject<String, Never>()
  }

  let clock = ManualClock()
  let bus: LifecycleBus
  let host: InMemoryBackgroundTaskHost
  let tasks: BackgroundTaskCoordinator
  let scope = LifecycleScope("reminder")
  let location = Location()
  private let transcript = Transcript()

  init() {
    bus = LifecycleBus(clock: clock)
    host = InMemoryBackgroundTaskHost(clock: clock)
    tasks = BackgroundTaskCoordinator(host: host)
  }

  var output: [String] { transcript.lines }
  var positions: PassthroughSubject<String, Never> { location.updates }

  func remind(of place: String) { transcript.lines.append("remind of \(place)") }
  func show(_ position: String) { transcript.lines.append("show \(position)") }

  func cycle() -> DutyCycle {
    let cycle = DutyCycle(burst: 10, rest: .seconds(20))
    return cycle
  }

  func dutyCycle() {
    let cycle = DutyCycle(burst: 10, rest: .seconds(20))
    location.updates.dutyCycle(cycle, of: bus, tasks: tasks)
      .sink { place in remind(of: place) }
      .store(in: scope)
  }

  func meter(_ cycle: DutyCycle) -> DutyCycleMeter {
    let meter = DutyCycleMeter()
    positions.dutyCycle(cycle, of: bus, tasks: tasks, meter: meter)
      .sink { position in show(position) }
      .store(in: scope)
    return meter
  }
}
