import LifecycleCombine
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle

extension LifecycleEvent.Kind {
  static let documentDidSave: Self = "documentDidSave"
}

extension LifecycleEvent.Kinds {
  static let documentDidSave: Self = [.documentDidSave]
}

extension LifecycleSourceName {
  static let remoteControl: Self = "remoteControl"
}

/// A device that a test presses the buttons of.
final class Device: Sendable {
  enum Button { case home }

  private let handler = Locked<(@Sendable (Button) -> Void)?>(nil)

  func open(_ body: @escaping @Sendable (Button) -> Void) throws {
    handler.withLock { $0 = body }
  }

  func close() {
    handler.withLock { $0 = nil }
  }

  func press(_ button: Button) {
    handler.withLock { $0 }?(button)
  }
}

struct RemoteControl: LifecycleSource {
  let name: LifecycleSourceName = "remoteControl"
  let device: Device

  func start(_ input: LifecycleFeed) throws -> @Sendable () -> Void {
    try device.open { button in
      if button == .home { input.send(.didEnterBackground) }
    }
    return { device.close() }
  }
}

/// What the samples take for granted, recording what they do.
@MainActor
struct Surroundings {
  final class Transcript {
    var lines: [String] = []
  }

  final class Cache {
    var isEmpty = false
    func removeAll() { isEmpty = true }
  }

  final class Player {
    var position = 12
    func resume(at position: Int?) { self.position = (position ?? 0) + 1 }
  }

  private let transcript = Transcript()
  let cache = Cache()
  let player = Player()

  var output: [String] { transcript.lines }

  func print(_ value: some CustomStringConvertible) { transcript.lines.append(value.description) }
  func save() { print("saved") }
  func refresh(after duration: Duration) { print("refreshed after \(duration)") }

  func bus() {
    let bus = LifecycleBus()
    let scope = LifecycleScope("screen")
    bus.onReturn(in: scope) { stay in
      print("away for \(stay.duration)")
    }
    bus.send(.didBecomeActive)
    bus.send(.didEnterBackground)
    bus.send(.didBecomeActive)
  }

  func overview() {
    let bus = LifecycleBus()
    let scope = LifecycleScope("screen")
    bus.onReturn(in: scope) { stay in
      print("away for \(stay.duration)")
    }
  }

  func scopes(_ clock: ManualClock) {
    let bus = LifecycleBus(clock: clock)
    do {
      let scope = LifecycleScope("rental list")
      bus.onReturn(in: scope) { stay in refresh(after: stay.duration) }
      scope.end()
    }
    leave(bus, clock) {
      let scope = LifecycleScope()
      bus.onReturn(in: scope) { stay in refresh(after: stay.duration) }
      $0()
      scope.end(at: [.didEnterBackground, .willTerminate], of: bus)
      $0()
    }
    leave(bus, clock) {
      let scope = LifecycleScope()
      bus.onReturn(in: scope, capturing: { player.position }) { stay, position in
        player.resume(at: position)
      }
      $0()
    }
  }

  private func leave(_ bus: LifecycleBus, _ clock: ManualClock, _ body: (() -> Void) -> Void) {
    body {
      bus.send(.didBecomeActive)
      bus.send(.didEnterBackground)
      clock.advance(by: .seconds(90))
      bus.send(.didBecomeActive)
    }
  }

  func observers(_ bus: LifecycleBus) {
    let scope = LifecycleScope()
    bus.events.sink { print($0.kind) }.store(in: scope)
    bus.publisher(for: [.didEnterBackground, .willTerminate])
      .sink { _ in save() }
      .store(in: scope)
    bus.addObserver(for: .didEnterBackground, in: scope, id: "save") { _ in save() }
    do {
      let token = bus.addObserver(for: .didReceiveMemoryWarning) { _ in cache.removeAll() }
      bus.send(.didReceiveMemoryWarning)
      token.cancel()
    }
    do {
      let token = bus.onReturn { stay in refresh(after: stay.duration) }
      token.cancel()
    }
    do {
      let token = bus.addObserver(for: .didEnterBackground) { event in save() }
      token.cancel()
    }
    bus.send(.didBecomeActive)
    bus.send(.didEnterBackground)  // from active: willResignActive comes first
  }

  func kinds(_ bus: LifecycleBus) {
    let scope = LifecycleScope()
    let saving: LifecycleEvent.Kinds = [.didEnterBackground, .willTerminate]
    bus.addObserver(for: saving, in: scope) { _ in save() }
    bus.addObserver(in: scope, id: "log") { event in print(event.kind) }
    bus.publisher(for: .didEnterBackground)
      .sink { _ in save() }
      .store(in: scope)
    do {
      let token = bus.addObserver(for: [.didEnterBackground, .willTerminate]) { _ in save() }
      token.cancel()
    }
    bus.addObserver(in: scope) { event in print(event) }
    let kinds = LifecycleEvent.Kinds.transitions.union([.systemDidWake])
    print(kinds.contains(.systemDidWake))
    scope.end(at: .willTerminate, of: bus)
    bus.send(.didEnterBackground)
    bus.send(.willTerminate)
  }
}

@MainActor
final class LogViewModel {
  private(set) var kinds: [LifecycleEvent.Kind] = []
  private(set) var absences: [Duration] = []

  init(_ bus: LifecycleBus) {
    bus.addObserver(self) { viewModel, event in viewModel.log(event) }
    bus.onReturn(self) { viewModel, stay in viewModel.refresh(after: stay.duration) }
  }

  private func log(_ event: LifecycleEvent) {
    kinds.append(event.kind)
  }

  private func refresh(after duration: Duration) {
    absences.append(duration)
  }
}

final class EventLog: Sendable {
  private let lines = Locked<[String]>([])

  init(_ bus: some LifecycleBusProtocol) {
    bus.addObserver(self) { log, event in log.append(event.kind) }
    bus.onReturn(self) { log, stay in log.append(stay.duration) }
  }

  var text: [String] { lines.withLock { $0 } }

  private func append(_ line: some CustomStringConvertible) {
    lines.withLock { $0.append(line.description) }
  }
}

struct Server: Sendable {
  private let flushes = Counter()

  var flushCount: Int { flushes.count.withLock { $0 } }

  func flush() { flushes.count.withLock { $0 += 1 } }

  func run() {
    let bus = NonisolatedLifecycleBus()
    let token = bus.addObserver(for: .willTerminate) { _ in flush() }
    bus.send(.willTerminate)
    token.cancel()
  }

  private final class Counter: Sendable {
    let count = Locked(0)
  }
}
