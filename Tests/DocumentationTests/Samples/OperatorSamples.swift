import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle

/// What the samples of the operators take for granted, recording what they do.
@MainActor
struct OperatorSamples {
  final class Transcript {
    var lines: [String] = []
  }

  struct Location {
    let updates = PassthroughSubject<String, Never>()
  }

  let bus = LifecycleBus(clock: ManualClock())
  let scope = LifecycleScope("operators")
  let prices = PassthroughSubject<Int, Never>()
  let uploads = PassthroughSubject<String, Never>()
  let location = Location()
  let heartbeat = CurrentValueSubject<Int, Never>(1)
  let keystrokes = PassthroughSubject<Character, Never>()
  let requests = PassthroughSubject<String, Never>()
  private let transcript = Transcript()

  var output: [String] { transcript.lines }

  func show(_ value: some CustomStringConvertible) { transcript.lines.append("show \(value)") }
  func start(_ upload: String) { transcript.lines.append("start \(upload)") }
  func report(_ beat: Int) { transcript.lines.append("report \(beat)") }
  func insert(_ key: Character) { transcript.lines.append("insert \(key)") }
  func save() { transcript.lines.append("save") }
  func log(_ request: String, isForeground: Bool) {
    transcript.lines.append("\(request), foreground: \(isForeground)")
  }

  func condition() -> LifecyclePhase.Condition {
    let isVisible = LifecyclePhase.Condition.atLeast(.inactive)
    return isVisible
  }

  func gateAtLeast() {
    prices.gate(.atLeast(.active), of: bus, buffering: .latest)
      .sink { price in show(price) }
      .store(in: scope)
  }

  func gateAtMost() {
    uploads.gate(
      .atMost(.background),
      of: bus,
      buffering: .all(limit: 100, whenFull: .dropOldest)
    )
    .sink { upload in start(upload) }
    .store(in: scope)
  }

  func whilePhaseAtLeast() {
    location.updates.whilePhase(.atLeast(.active), of: bus)
      .sink { place in show(place) }
      .store(in: scope)
  }

  func whilePhaseAtMost() {
    heartbeat.whilePhase(.atMost(.background), of: bus)
      .sink { beat in report(beat) }
      .store(in: scope)
  }

  func prefixUntil() {
    keystrokes.prefix(until: [.didEnterBackground, .willTerminate], of: bus)
      .sink { _ in
        save()
      } receiveValue: { key in
        insert(key)
      }
      .store(in: scope)
  }

  func withPhase() {
    requests.withPhase(of: bus)
      .sink { request, phase in log(request, isForeground: phase.isForeground) }
      .store(in: scope)
  }
}
