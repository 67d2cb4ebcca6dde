import LifecycleCombine
import LifecycleCountdowns
import LifecycleJournaling
import LifecycleTesting
import LifecycleTimelines
import ReactiveLifecycle
import Testing

// The article *Testing your view model*.

@MainActor
final class TimedOffer {
  private(set) var remaining = 300

  func timerFired() { remaining = max(0, remaining - 1) }
}

@MainActor
final class Offer {
  private(set) var remaining = 300
  private(set) var isOver = false
  private(set) var returns = 0
  private let countdown: Countdown
  private let scope = LifecycleScope("offer")

  init(on bus: LifecycleBus, restoring saved: Countdown.SavedState? = nil) {
    countdown =
      saved.map { Countdown(restoring: $0, of: bus) } ?? Countdown(.seconds(300), of: bus)
    countdown.start()
    countdown.states.sink { [weak self] in self?.show($0) }.store(in: scope)
    bus.onReturn(in: scope) { [weak self] _ in self?.returns += 1 }
  }

  var savedState: Countdown.SavedState { countdown.savedState }

  private func show(_ state: Countdown.State) {
    remaining = Int(state.remaining.components.seconds)
    isOver = state.status == .finished
  }
}

@MainActor
final class Timetable {
  private(set) var loads: [ContinuousInstant] = []
  private let scope = LifecycleScope("timetable")

  init(bus: LifecycleBus) {
    let clock = bus.clock
    scope.task { [weak self] in
      try await bus.repeatWhile(.foreground) {
        while true {
          self?.loads.append(clock.continuous)
          try await clock.sleep(for: .seconds(10))
        }
      }
    }
  }
}

@MainActor
final class VisitStore {
  static var shared: VisitStore { replacement ?? live }
  @TaskLocal static var replacement: VisitStore?
  private static let live = VisitStore(bus: .application)
  private(set) var returns = 0
  private let scope = LifecycleScope("visits")

  init(bus: LifecycleBus) {
    bus.onReturn(in: scope) { [weak self] _ in self?.returns += 1 }
  }
}

@MainActor
private struct Greeting {
  var text: String { VisitStore.shared.returns == 0 ? "Hello" : "Welcome back" }
}

@Suite("Article: Testing your view model")
struct TestingSamples {
  @Test("The offer continues while the user is away")
  @MainActor
  func away() {
    let lifecycle = ScriptedLifecycle()
    let offer = Offer(on: lifecycle.bus)
    lifecycle.perform(.launch, .becomeActive, .advance(by: .seconds(10)))
    #expect(offer.remaining == 290)

    lifecycle.expect(offer, after: .background(for: .seconds(90), deviceAsleep: .seconds(60))) {
      $0.remaining = 200
      $0.returns = 1
    }
  }

  @Test(
    "The offer ends after five minutes",
    arguments: [
      [.advance(by: .seconds(300))],
      [.background(for: .seconds(300), deviceAsleep: .seconds(200))],
      [.background(for: .seconds(100)), .stopProcess(for: .seconds(200))],
      [.setWallClock(by: .seconds(3600)), .resignActive, .advance(by: .seconds(300))],
    ] as [[LifecycleStep]]
  )
  @MainActor
  func over(_ steps: [LifecycleStep]) {
    let lifecycle = ScriptedLifecycle()
    let offer = Offer(on: lifecycle.bus)
    lifecycle.perform([.launch, .becomeActive] + steps)
    #expect(offer.isOver)
    #expect(offer.remaining == 0)
  }

  @Test("A deadline that passes in the background is reported once, before the return")
  @MainActor
  func deadline() {
    let lifecycle = ScriptedLifecycle()
    let countdown = Countdown(.seconds(60), of: lifecycle.bus)
    let states = lifecycle.transcribe(countdown.states, as: "countdown")
    lifecycle.perform(.launch, .becomeActive)
    countdown.start()
    lifecycle.perform(.background(for: .seconds(90)), .duplicate(.didBecomeActive))
    expectLifecycle(
      lifecycle,
      matches: """
          [0 s unknown] countdown: idle, 60 s
        launch
          [0 s background] didFinishLaunching
        becomeActive
          [0 s inactive] willEnterForeground
          [0 s active] didBecomeActive
          [0 s active] countdown: running, 60 s
        background(for: 90 s)
          [0 s inactive] willResignActive
          [0 s background] didEnterBackground
          [90 s background] countdown: finished
          [90 s inactive] willEnterForeground (away 90 s)
          [90 s active] didBecomeActive
        duplicate(didBecomeActive)
          [90 s active] didBecomeActive suppressed: duplicate
        """
    )
    #expect(states.elements.count { $0.status == .finished } == 1)
    #expect(countdown.remaining == .zero)
  }

  @Test("The offer continues after the process was killed")
  @MainActor
  func killed() throws {
    var offer: Offer?
    var exits: [LifecycleJournal.PreviousExit] = []
    let lifecycle = ScriptedLifecycle { process in
      let journal = try LifecycleJournal(
        at: "offer",
        of: process.bus,
        fileSystem: process.fileSystem
      )
      exits.append(journal.previousRun.exit)
      offer = Offer(on: process.bus, restoring: try journal.value(forKey: "offer"))
      try journal.set(offer?.savedState, forKey: "offer")
      process.keep(journal)
    }
    lifecycle.perform(
      .launch,
      .becomeActive,
      .enterBackground,
      .advance(by: .seconds(30)),
      .kill,
      .advance(by: .seconds(60)),
      .relaunch,
      .becomeActive
    )
    #expect(exits == [.firstLaunch, .killedInBackground])
    #expect(offer?.remaining == 210)
  }

  @Test("A screen that has gone leaves nothing behind")
  @MainActor
  func leaks() {
    let lifecycle = ScriptedLifecycle()
    var offer: Offer? = Offer(on: lifecycle.bus)
    lifecycle.perform(.launch, .becomeActive)
    expectReleased(&offer, of: lifecycle.bus)
    expectNoLiveSubscriptions(of: lifecycle)
  }

  @Test("A search waits until the user has stopped typing")
  func search() {
    let clock = ManualClock()
    let typed = PassthroughSubject<String, Never>()
    var searched: [String] = []
    let search = typed.debounce(for: .milliseconds(300), scheduler: clock.scheduler)
      .sink { searched.append($0) }
    for text in ["s", "sw", "swift"] {
      typed.send(text)
      clock.advance(by: .milliseconds(100))
    }
    #expect(searched.isEmpty)
    clock.advance(by: .milliseconds(200))
    #expect(searched == ["swift"])
    search.cancel()
  }

  @Test("The greeting disappears after two seconds")
  @MainActor
  func greeting() async throws {
    let clock = ManualClock()
    var isShown = true
    let task = Task {
      try await clock.sleep(for: .seconds(2))
      isShown = false
    }
    try await clock.waitForSleepers()
    clock.advance(by: .seconds(1))
    #expect(isShown)
    clock.advance(by: .seconds(1))
    try await task.value
    #expect(!isShown)
  }
}

extension TestingSamples {
  @Test("A timetable loads every ten seconds while it is visible")
  @MainActor
  func loadsTimetable() async {
    let lifecycle = ScriptedLifecycle()
    let start = lifecycle.bus.clock.continuous
    let timetable = Timetable(bus: lifecycle.bus)
    await lifecycle.perform(.launch, .becomeActive, .advance(by: .seconds(30)))
    #expect(timetable.loads.map { $0 - start } == [0, 10, 20, 30].map { .seconds($0) })
    await lifecycle.perform(.background(for: .seconds(90)))
    #expect(timetable.loads.last == start + .seconds(120))
  }

  @Test("The greeting knows a user who returns")
  @MainActor
  func greetsUser() {
    let lifecycle = ScriptedLifecycle()
    VisitStore.$replacement.withValue(VisitStore(bus: lifecycle.bus)) {
      let greeting = Greeting()
      lifecycle.perform(.launch, .becomeActive)
      #expect(greeting.text == "Hello")
      lifecycle.perform(.background(for: .seconds(90)))
      #expect(greeting.text == "Welcome back")
    }
  }

  @Test("A stopwatch counts the time in which the device sleeps, and not what the user sets")
  @MainActor
  func stopwatch() {
    let lifecycle = ScriptedLifecycle()
    let watch = Stopwatch(of: lifecycle.bus)
    lifecycle.perform(.launch, .becomeActive)
    watch.resume()
    lifecycle.perform(.background(for: .seconds(90), deviceAsleep: .seconds(60)))
    lifecycle.perform(.setWallClock(by: .seconds(-3600)))
    watch.pause()
    lifecycle.perform(.advance(by: .seconds(30)))
    #expect(watch.elapsed == .seconds(90))
    watch.resume()
    lifecycle.perform(.advance(by: .seconds(1)))
    #expect(watch.elapsed == .seconds(91))
  }

  @Test("A connection is open while the user sees the app and the network is there")
  @MainActor
  func phaseAndNetwork() {
    let lifecycle = ScriptedLifecycle()
    let hasNetwork = CurrentValueSubject<Bool, Never>(false)
    let chat = ChatModel(bus: lifecycle.bus, hasNetwork: hasNetwork)
    lifecycle.perform(.launch, .becomeActive)
    hasNetwork.value = true
    #expect(chat.isOnline)
    lifecycle.perform(.enterBackground)
    #expect(!chat.isOnline)
    hasNetwork.value = false
    lifecycle.perform(.becomeActive)
    #expect(!chat.isOnline)
  }
}

@MainActor
private func timelineSample(_ lifecycle: ScriptedLifecycle) {
  Attachment.record(LifecycleTimeline(lifecycle.recordings).html, named: "timeline.html")
}
