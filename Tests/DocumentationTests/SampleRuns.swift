import CustomDump
import Foundation
import JobControl
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("Documentation samples run")
@MainActor
struct SampleRuns {
  @Test("The bus tells how long the process was away")
  func busTellsHowLongProcessWasAway() {
    let surroundings = Surroundings()
    surroundings.overview()
    #expect(surroundings.output.isEmpty)
    surroundings.bus()
    expectNoDifference(surroundings.output.count, 1)
    expectNoDifference(surroundings.output.first?.hasPrefix("away for "), true)
  }

  @Test("Scopes end by themselves, with an event, and hand captured values back")
  func scopesEndByThemselves() {
    let surroundings = Surroundings()
    surroundings.scopes(ManualClock())
    expectNoDifference(surroundings.output, ["refreshed after 90.0 seconds"])
    expectNoDifference(surroundings.player.position, 13)
  }

  @Test("Publishers, identified observers and tokens")
  func publishersOwnersAndTokens() {
    let surroundings = Surroundings()
    let bus = LifecycleBus()
    surroundings.observers(bus)
    #expect(surroundings.cache.isEmpty)
    expectNoDifference(
      surroundings.output,
      [
        "didReceiveMemoryWarning", "didFinishLaunching", "willEnterForeground", "didBecomeActive",
        "willResignActive", "saved", "saved", "didEnterBackground",
      ]
    )
    #expect(bus.liveSubscriptions.isEmpty)
  }

  @Test("Lists of kinds")
  func listsOfKinds() {
    let surroundings = Surroundings()
    let bus = LifecycleBus()
    surroundings.kinds(bus)
    expectNoDifference(
      surroundings.output,
      [
        "true", "didFinishLaunching", "didFinishLaunching (unknown → background) #1",
        "willEnterForeground", "willEnterForeground (background → inactive) #2",
        "didEnterBackground (inactive → background) #3", "saved", "didEnterBackground", "saved",
        "willTerminate (background → terminated) #4", "willTerminate", "saved",
      ]
    )
    #expect(bus.liveSubscriptions.isEmpty)
  }

  @Test("An owner observes for as long as it lives")
  func ownerObservesWhileItLives() {
    let bus = LifecycleBus()
    var viewModel: LogViewModel? = LogViewModel(bus)
    bus.send(.documentDidSave)
    expectNoDifference(viewModel?.kinds, [.documentDidSave])
    bus.send(.didEnterBackground)
    bus.send(.willEnterForeground)
    expectNoDifference(viewModel?.absences.count, 1)
    viewModel = nil
    bus.send(.willResignActive)
    bus.send(.didEnterBackground)
    bus.send(.willEnterForeground)
    #expect(bus.liveSubscriptions.isEmpty)
  }

  @Test("Generic code observes any bus")
  func genericCode() {
    let clock = ManualClock()
    let bus = NonisolatedLifecycleBus(clock: clock)
    bus.send(.didEnterBackground)
    let log = EventLog(bus)
    clock.advance(by: .seconds(90))
    bus.send(.willEnterForeground)
    expectNoDifference(log.text, ["willEnterForeground", "90.0 seconds"])
  }

  @Test("A server observes without an actor")
  func serverObservesWithoutActor() {
    let server = Server()
    server.run()
    expectNoDifference(server.flushCount, 1)
  }

  @Test("A source of the program's own")
  func sourceOfProgramsOwn() throws {
    let bus = LifecycleBus()
    let remoteControl = RemoteControl(device: Device())
    expectNoDifference(remoteControl.name, .remoteControl)
    let connection = try bus.connect(remoteControl)
    remoteControl.device.press(.home)
    expectNoDifference(bus.phase, .background)
    connection.cancel()
    remoteControl.device.press(.home)
    expectNoDifference(bus.suppressedCount(.duplicate), 0)
  }

  @Test("Notifications of UIApplication by name")
  func notificationsOfUIApplicationByName() throws {
    let samples = NotificationSamples()
    try samples.connect {
      samples.post("UIApplicationDidBecomeActiveNotification")
      samples.post("UIApplicationDidEnterBackgroundNotification")
    }
    expectNoDifference(samples.bus.phase, .background)
    expectNoDifference(samples.tableSize, 2)
  }

  @Test("The manual clock parts sleep from waking")
  func manualClock() {
    let stay = manualClockSample()
    expectNoDifference(stay?.duration, .seconds(90))
    expectNoDifference(stay?.timeAsleep, .seconds(60))
  }
}
