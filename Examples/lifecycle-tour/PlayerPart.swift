import Foundation
import LifecycleCombine
import LifecycleCountdowns
import LifecycleJournaling
import LifecycleProcess
import ReactiveLifecycle

/// Part 8: one screen that uses most of the bus, in this process, where no system sends the events.
@MainActor
enum PlayerPart {
  static func run(_ narrator: Narrator) async throws {
    narrator.title("8. A player that pauses, continues where it was, and objects to the end")
    let bus = LifecycleBus()
    let scope = LifecycleScope("player")
    try bus.connect(.processSignals(taking: .terminate, asking: .seconds(60)), in: scope)
    let player = Player(of: bus)
    player.observe(bus, in: scope)
    let state = bus.observableState
    let file = FileManager.default.temporaryDirectory.appending(path: "lifecycle-tour-\(UUID())")
    defer { try? FileManager.default.removeItem(at: file) }
    let journal = try LifecycleJournal(at: file.path, of: bus)
    journal.saveValue(forKey: "position", in: scope) { [weak player] in player?.position }

    bus.send(.didBecomeActive)
    try await bus.waitUntil(.active)
    await player.waitForVisit(1)
    narrator.claim("it plays while it is in use", state.isActive && player.isPlaying, true)
    player.position = 42
    player.sleepTimer.start()
    player.sleepTimer.extend(by: .seconds(300))
    player.sleepTimer.pause()
    let seconds = player.sleepTimer.remaining / .seconds(1)
    narrator.claim("its sleep timer was extended, and paused", seconds, in: 2040...2100)
    player.sleepTimer.resume()

    // A call comes in, and is declined. Then the user leaves, and returns.
    bus.send(.willResignActive)
    bus.send(.didBecomeActive)
    await player.waitForVisit(2)
    bus.send(.didEnterBackground)
    let saved = try journal.value(Int.self, forKey: "position")
    narrator.claim("its position is saved before the process may be suspended", saved, 42)
    bus.send(.didBecomeActive)
    await player.waitForVisit(3)
    narrator.claim("it was rewound, and continues where it was", player.position, 42)
    narrator.claim("it greets its user after the return, not after the call", player.greetings, 1)
    narrator.claim("it connects after the return, not after the call", player.connections, 2)

    player.isRecording = true
    kill(getpid(), SIGTERM)
    await player.waitForQuestion()
    let refused = await bus.requestExit()
    narrator.claim("it objects to SIGTERM while it records", refused.isCancelled, true)
    player.isRecording = false
    let granted = await bus.requestExit()
    narrator.claim("then it agrees to the end", granted.isCancelled, false)

    bus.send(.willTerminate)
    narrator.claim("its scope ends with the process", scope.isEnded, true)
    narrator.claim("and its sleep timer with the scope", player.sleepTimer.state.status, .idle)
    narrator.claim("nothing is left", bus.diagnostics.liveSubscriptions.count, 0)
  }
}

/// The model of a player's screen.
@MainActor
private final class Player {
  let sleepTimer: Countdown
  var position = 0
  var isRecording = false
  private(set) var isPlaying = false
  private(set) var greetings = 0
  private(set) var connections = 0
  private let visits = Occasions()
  private let questions = Occasions()

  init(of bus: LifecycleBus) {
    sleepTimer = Countdown(.seconds(1800), of: bus, inBackground: .pause)
  }

  func observe(_ bus: LifecycleBus, in scope: LifecycleScope) {
    bus.onReturn(in: scope, capturing: { [weak self] in self?.position }) {
      [weak self] _, position in
      if let position { self?.position = position ?? 0 }
    }
    bus.addObserver(self, for: .didEnterBackground) { player, _ in player.position = 0 }
    bus.onReturn(self) { player, _ in player.greetings += 1 }
    bus.phases.settle(for: .seconds(60)).map { $0 == .active }.removeDuplicates()
      .sink { [weak self] isActive in if isActive { self?.connections += 1 } }
      .store(in: scope)
    bus.onExitRequest(in: scope) { [weak self] _ in
      self?.questions.add()
      return self?.isRecording == true ? .cancel : .exit
    }
    scope.task { [weak self, weak bus] in
      try? await bus?.repeatWhile(.active) { await self?.play() }
    }
    scope.onEnd { [sleepTimer] in sleepTimer.reset() }
    scope.end(at: .willTerminate, of: bus)
  }

  /// Plays until the task is cancelled.
  private func play() async {
    isPlaying = true
    visits.add()
    for await _ in AsyncStream<Never>.makeStream().stream {}
    isPlaying = false
  }

  func waitForVisit(_ number: Int) async { await visits.wait(for: number) }

  func waitForQuestion() async { await questions.wait(for: 1) }
}

/// A number of occasions, one of which can be awaited.
@MainActor
private final class Occasions {
  private var count = 0
  private var onOccasion: (number: Int, continuation: CheckedContinuation<Void, Never>)?

  func add() {
    count += 1
    if let onOccasion, onOccasion.number == count { onOccasion.continuation.resume() }
  }

  func wait(for number: Int) async {
    guard count < number else { return }
    await withCheckedContinuation { onOccasion = (number, $0) }
  }
}
