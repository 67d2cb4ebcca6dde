import CustomDump
import LifecycleBackgroundWork
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import Testing

@testable import LocationReminder

/// Virtual time: a fix a second, bursts of 3, rests of 4 s.
@Suite("Location reminder model")
@MainActor
struct LocationReminderTests {
  final class Scene {
    let clock = ManualClock()
    let bus: LifecycleBus
    let host: InMemoryBackgroundTaskHost
    let receiver: TrackReceiver
    let reminder: LocationReminder<Track.Fix>
    var trace: [String] = []
    var hasEnded = false

    @MainActor
    init(
      fixes: Int = 100,
      place: Int? = nil,
      rest: Duration = .seconds(4),
      isCoarseWhileResting: Bool = false
    ) {
      bus = LifecycleBus(clock: clock)
      host = InMemoryBackgroundTaskHost(clock: clock)
      receiver = TrackReceiver(straightTrack(fixes), rate: 1, clock: clock)
      let position = place.map { Position(latitude: Double($0) / 3600, longitude: 0) }
      reminder = LocationReminder(
        receiver.fixes,
        resting: isCoarseWhileResting ? receiver.coarseFixes : nil,
        distance: { fix in position.map { fix.position.distance(to: $0) } },
        // A second of arc is 31 m.
        radius: 20,
        cycle: DutyCycle(burst: 3, rest: rest),
        on: bus,
        tasks: BackgroundTaskCoordinator(host: host)
      )
      reminder.onUpdate = { [unowned self] update in
        switch update {
        case .location(let fix): trace.append("\(Int(fix.time / .seconds(1)))")
        case .rest(let rest):
          trace.append("rest \(rest.requested / .seconds(1))/\(rest.granted / .seconds(1))")
        case .arrival(_, let distance): trace.append("there \(Int(distance))")
        }
      }
      receiver.onEnd = { [unowned self] in hasEnded = true }
      bus.send(.didBecomeActive)
      reminder.appear()
    }

    @MainActor
    func pass(_ seconds: Int) -> [String] {
      trace = []
      clock.advance(by: .seconds(seconds))
      return trace
    }
  }

  @Test("In the foreground, each fix is received once")
  func continuousInForegroundOncePerFix() {
    let scene = Scene()
    expectNoDifference(scene.pass(3), ["0", "1", "2", "3"])
    scene.bus.send(.willResignActive)
    expectNoDifference(scene.pass(2), ["4", "5"])
    for _ in 0..<3 { scene.bus.send(.didBecomeActive) }
    expectNoDifference(scene.pass(2), ["6", "7"])
    scene.reminder.disappear()
    expectNoDifference(scene.pass(5), [])
    expectNoDifference(scene.reminder.receiverOn, .seconds(7))
    expectNoDifference(scene.reminder.locationCount, 8)
  }

  @Test("In the background, bursts of three fixes and rests under a task alternate")
  func threeFixesInBackgroundThenRest() {
    let scene = Scene()
    expectNoDifference(scene.pass(1), ["0", "1"])
    scene.bus.send(.didEnterBackground)
    expectNoDifference(
      scene.pass(14),
      ["2", "3", "4", "rest 4.0/4.0", "8", "9", "10", "rest 4.0/4.0", "14", "15"]
    )
    expectNoDifference(scene.host.openTasks, [])
    expectNoDifference(scene.reminder.receiverOn, .seconds(7))
  }

  @Test("With coarse positions, a rest of three minutes needs no task")
  func coarsePositionsReplaceTheTask() {
    let scene = Scene(fixes: 1000, rest: .seconds(180), isCoarseWhileResting: true)
    _ = scene.pass(1)
    scene.bus.send(.didEnterBackground)
    expectNoDifference(
      scene.pass(185),
      ["2", "3", "4", "rest 180.0/180.0", "184", "185", "186", "rest 180.0/180.0"]
    )
    expectNoDifference(scene.host.operations, [])
    scene.reminder.disappear()
  }

  @Test("In the background, only the last fix of a burst is an arrival")
  func placeIsNoticedByLastOfBurstInBackground() {
    let scene = Scene(place: 10)
    _ = scene.pass(1)
    scene.bus.send(.didEnterBackground)
    expectNoDifference(
      scene.pass(10).filter { !$0.hasPrefix("rest") },
      ["2", "3", "4", "8", "9", "10", "there 0"]
    )
    let other = Scene(place: 9)
    _ = other.pass(1)
    other.bus.send(.didEnterBackground)
    #expect(!other.pass(20).contains { $0.hasPrefix("there") })
  }

  @Test(
    "The end of the track is reported while the receiver is on and while it rests",
    arguments: [3, 7, 9]
  )
  func endOfTheTrack(fixes: Int) {
    let scene = Scene(fixes: fixes)
    _ = scene.pass(1)
    scene.bus.send(.didEnterBackground)
    _ = scene.pass(fixes - 3)
    #expect(!scene.hasEnded)
    _ = scene.pass(1)
    #expect(scene.hasEnded)
    scene.reminder.disappear()
    #expect(scene.host.openTasks.isEmpty)
    expectNoDifference(scene.clock.timerCount, 0)
  }

  @Test("Fixes that passed while the device slept are gone, and none is replayed")
  func fixesThatPassedWhileDeviceSleptAreGone() {
    let scene = Scene()
    expectNoDifference(scene.pass(1), ["0", "1"])
    scene.trace = []
    scene.clock.sleepDevice(for: .milliseconds(10_500))
    expectNoDifference(scene.trace.filter { $0 != "2" }, [])
    expectNoDifference(scene.pass(2), ["12", "13"])
  }
}

@Suite("Fixes that a receiver sees")
struct LocationTrackMachineTests {
  @Test("At a rate of 50, 600 fixes take a fiftieth of their time, without drift")
  func rateDividesTimesAndNothingDrifts() {
    var machine = TrackMachine(straightTrack(600), rate: 50)
    machine.switchOn(at: .boot)
    var deadlines: [ContinuousInstant] = []
    while let deadline = machine.deadline, !machine.isOver(at: deadlines.last ?? .boot) {
      // Each look is 3 ms late.
      deadlines.append(deadline)
      while machine.nextFix(at: deadline + .milliseconds(3)) != nil {}
    }
    expectNoDifference(deadlines.count, 600)
    expectNoDifference(deadlines.last, .boot + .milliseconds(599 * 20))
  }
}
