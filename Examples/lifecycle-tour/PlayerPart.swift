import LifecycleCombine
import ReactiveLifecycle

/// Part 8: one screen that uses most of the bus, in this process, where no system sends the events.
@MainActor
enum PlayerPart {
  static func run(_ narrator: Narrator) async throws {
    narrator.title("8. A player that pauses, continues where it was, and objects to the end")
    let bus = LifecycleBus()
    let scope = LifecycleScope("player")
    let player = Player()
    player.observe(bus, in: scope)
    let state = bus.observableState

    bus.send(.didBecomeActive)
    try await bus.waitUntil(.atLeast(.active))
    await player.waitForVisit(1)
    narrator.claim("it plays while it is in use", state.isActive && player.isPlaying, true)
    player.position = 42

    // A call comes in, and is declined. Then the user leaves, and returns.
    bus.send(.willResignActive)
    bus.send(.didBecomeActive)
    await player.waitForVisit(2)
    bus.send(.didEnterBackground)
    bus.send(.didBecomeActive)
    await player.waitForVisit(3)
    narrator.claim("it was rewound, and continues where it was", player.position, 42)
    narrator.claim("it greets its user after the return, not after the call", player.greetings, 1)

    player.isRecording = true
    let refused = await bus.requestExit()
    narrator.claim("it objects to the end while it records", refused.isCancelled, true)
    player.isRecording = false
    let granted = await bus.requestExit()
    narrator.claim("then it agrees", granted.isCancelled, false)

    bus.send(.willTerminate)
    narrator.claim("its scope ends with the process", scope.isEnded, true)
    narrator.claim("nothing is left", bus.liveSubscriptions.count, 0)
  }
}

/// The model of a player's screen.
@MainActor
private final class Player {
  var position = 0
  var isRecording = false
  private(set) var isPlaying = false
  private(set) var greetings = 0
  private var visits = 0
  private var onVisit: (number: Int, continuation: CheckedContinuation<Void, Never>)?

  func observe(_ bus: LifecycleBus, in scope: LifecycleScope) {
    bus.onReturn(in: scope, capturing: { [weak self] in self?.position }) {
      [weak self] _, position in
      if let position { self?.position = position ?? 0 }
    }
    bus.addObserver(self, for: .didEnterBackground) { player, _ in player.position = 0 }
    bus.onReturn(self) { player, _ in player.greetings += 1 }
    bus.onExitRequest(in: scope) { [weak self] _ in self?.isRecording == true ? .cancel : .exit }
    scope.task { [weak self, weak bus] in
      try? await bus?.repeatWhile(.atLeast(.active)) { await self?.play() }
    }
    scope.end(at: .willTerminate, of: bus)
  }

  /// Plays until the task is cancelled.
  private func play() async {
    visits += 1
    isPlaying = true
    if let onVisit, onVisit.number == visits { onVisit.continuation.resume() }
    for await _ in AsyncStream<Never>.makeStream().stream {}
    isPlaying = false
  }

  func waitForVisit(_ number: Int) async {
    guard visits < number else { return }
    await withCheckedContinuation { onVisit = (number, $0) }
  }
}
