import CustomDump
import Foundation
import LifecycleSources
import LifecycleTesting
import ReactiveLifecycle
import Testing

/// The notifications of the workspace's own centre: sleep, power, and the login session.
@MainActor
@Suite("Notification scripts: workspace")
struct WorkspaceScriptTests {
  private let stage = MacStage()

  private func launch() throws {
    try stage.connect(.hidden)
    try stage.connectWorkspace()
    stage.set(active: true)
    stage.post("DidFinishLaunching")
    expectNoDifference(stage.bus.phase, .active)
    _ = stage.take()
  }

  @Test("Sleep and wake are notices, which leave the phase alone; either may be missing")
  func sleepAndWake() throws {
    try launch()
    stage.postWorkspace("WillSleep", "DidWake", "DidWake", "WillSleep", "WillPowerOff")
    expectNoDifference(
      stage.take(),
      [
        "WillSleep: systemWillSleep → active", "DidWake: systemDidWake → active",
        "DidWake: systemDidWake → active", "WillSleep: systemWillSleep → active",
        "WillPowerOff: systemWillPowerOff → active",
      ]
    )
  }

  @Test("Asleep while hidden: the stay counts the sleep")
  func sleepWhileHidden() throws {
    try launch()
    stage.set(active: false)
    stage.post("WillResignActive", "DidHide")
    stage.postWorkspace("WillSleep")
    stage.clock.sleepDevice(for: .seconds(3600))
    stage.postWorkspace("DidWake")
    stage.clock.advance(by: .seconds(5))
    stage.post("WillUnhide")
    expectNoDifference(
      stage.take().last,
      "WillUnhide: willEnterForeground, away 3605 s → inactive"
    )
  }

  @Test("Another user takes the screen and gives it back; the application had resigned, or had not")
  func fastUserSwitching() throws {
    try launch()
    stage.postWorkspace("SessionDidResignActive")
    stage.clock.advance(by: .seconds(10))
    stage.postWorkspace("SessionDidBecomeActive")
    stage.set(active: false)
    stage.post("WillResignActive")
    stage.postWorkspace("SessionDidResignActive", "SessionDidResignActive")
    stage.set(active: true)
    stage.post("DidBecomeActive")
    stage.postWorkspace("SessionDidBecomeActive", "SessionDidBecomeActive")
    expectNoDifference(
      stage.take(),
      [
        "SessionDidResignActive: willResignActive*, didEnterBackground → background",
        "SessionDidBecomeActive: willEnterForeground*, away 10 s, didBecomeActive → active",
        "WillResignActive: willResignActive → inactive",
        "SessionDidResignActive: didEnterBackground → background",
        "SessionDidResignActive → background",
        "DidBecomeActive → background",
        "SessionDidBecomeActive: willEnterForeground*, away 0 s, didBecomeActive → active",
        "SessionDidBecomeActive → active",
      ]
    )
    #expect(stage.bus.suppressedCount(.masked) == 1 && stage.bus.suppressedCount(.duplicate) == 2)
  }

  @Test("Launched in a session that is not on the screen: nobody is told of a foreground")
  func launchedInInactiveSession() throws {
    // The workspace posts between the two of launching (Apple, sessionDidResignActiveNotification).
    try stage.connect(.hidden)
    try stage.connectWorkspace()
    stage.postWorkspace("SessionDidResignActive")
    stage.post("DidFinishLaunching")
    stage.postWorkspace("SessionDidBecomeActive")
    expectNoDifference(
      stage.take(),
      [
        "connect → unknown", "SessionDidResignActive: didFinishLaunching* → background",
        "DidFinishLaunching → background",
        "SessionDidBecomeActive: willEnterForeground* → inactive",
      ]
    )
  }

  @Test("A connection that is cancelled lifts its session's limit")
  func cancelledConnectionLiftsTheLimit() throws {
    try launch()
    let other = LifecycleBus(clock: stage.clock)
    other.send(.didBecomeActive)
    let source = NotificationCenterSource.notificationCenter(.init(), table: .workspace)
    let connection = try other.connect(source)
    try stage.connectWorkspace(to: other)
    stage.postWorkspace("SessionDidResignActive")
    expectNoDifference(other.phase, .background, "a presence's source limits all the same")
    expectNoDifference(other.diagnostics.ceilings.map(\.phase), [.background])
    connection.cancel()
    expectNoDifference(other.phase, .background)
    stage.postWorkspace("SessionDidBecomeActive")
    expectNoDifference(other.phase, .active)
  }

  @Test("The workspace's names on the default centre are nobody's: it has a centre of its own")
  func otherCentre() throws {
    try stage.connect(.hidden)
    stage.set(active: true)
    stage.post("DidFinishLaunching")
    _ = stage.take()
    stage.postWorkspace("SessionDidResignActive", "WillSleep")
    expectNoDifference(stage.take(), ["SessionDidResignActive → active", "WillSleep → active"])
    #expect(stage.bus.diagnostics.ceilings.isEmpty)
    try stage.connectWorkspace()
    stage.postWorkspace("WillSleep")
    expectNoDifference(stage.take(), ["WillSleep: systemWillSleep → active"])
  }
}
