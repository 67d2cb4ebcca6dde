import CustomDump
import Foundation
import LifecycleTesting
import Testing

@testable import ReactiveLifecycle

/// `NSApplication`'s notifications in the orders in which AppKit is documented or reported to post them.
@MainActor
@Suite("Notification scripts: AppKit")
struct AppKitScriptTests {
  private let stage = MacStage()

  /// An application that the user has launched, in front.
  private func launch(_ background: AppKitBackground) throws {
    try stage.connect(background)
    stage.set(visible: true)
    stage.post("DidFinishLaunching")
    if background == .occluded { stage.post("DidChangeOcclusionState") }
    stage.set(active: true)
    stage.post("DidBecomeActive")
    expectNoDifference(stage.bus.phase, .active)
    _ = stage.take()
  }

  @Test(
    "Launched hidden, it is in the background; shown, inactive; activated, active"
  )
  func launchedHidden() throws {
    try stage.connect(.hidden)
    stage.set(hidden: true)
    stage.post("DidFinishLaunching")
    stage.set(hidden: false)
    stage.post("WillUnhide", "DidUnhide")
    stage.set(active: true)
    stage.post("DidBecomeActive")
    expectNoDifference(
      stage.take(),
      [
        "connect → unknown",
        "DidFinishLaunching: didFinishLaunching → background",
        "WillUnhide: willEnterForeground → inactive",
        "DidUnhide → inactive",
        "DidBecomeActive: didBecomeActive → active",
      ]
    )
  }

  @Test(
    "Hidden with Cmd-H, it is in the background once, whenever AppKit posts WillResignActive",
    arguments: [0, 1, 2]
  )
  func hideAndUnhide(_ position: Int) throws {
    // The place of the resignation between the two of hiding is not documented; nor is that of the
    // activation.
    try launch(.hidden)
    let hiding = ["WillHide", "DidHide"]
    for stem in hiding[..<position] + ["WillResignActive"] + hiding[position...] {
      if stem == "WillResignActive" { stage.set(active: false) }
      if stem == "DidHide" { stage.set(hidden: true, visible: false) }
      stage.post(stem)
    }
    expectNoDifference(stage.bus.phase, .background)
    stage.clock.advance(by: .seconds(30))
    let showing = ["WillUnhide", "DidUnhide"]
    for stem in showing[..<position] + ["DidBecomeActive"] + showing[position...] {
      if stem == "DidBecomeActive" { stage.set(active: true) }
      if stem == "DidUnhide" { stage.set(hidden: false, visible: true) }
      stage.post(stem)
    }
    expectNoDifference(stage.bus.phase, .active)
    let transcript = stage.take().joined(separator: "\n")
    #expect(transcript.components(separatedBy: "didEnterBackground → background").count == 2)
    #expect(transcript.components(separatedBy: ", away 30 s").count == 2, "\(transcript)")
  }

  @Test("An application that is hidden and stays active is active again when it is shown")
  func hiddenAndStillActive() throws {
    try launch(.hidden)
    stage.post("WillHide", "DidHide", "WillUnhide", "DidUnhide")
    expectNoDifference(
      stage.take(),
      [
        "WillHide → active", "DidHide: willResignActive*, didEnterBackground → background",
        "WillUnhide: willEnterForeground*, away 0 s, didBecomeActive → active",
        "DidUnhide → active",
      ]
    )
  }

  @Test("Covered by other windows: inactive by default, in the background if occlusion counts")
  func coveredByOtherWindows() throws {
    func cover(_ stage: MacStage) {
      stage.set(active: false)
      stage.post("WillResignActive")
      stage.set(visible: false)
      stage.post("DidChangeOcclusionState")
    }
    try launch(.hidden)
    cover(stage)
    expectNoDifference(
      stage.take(),
      ["WillResignActive: willResignActive → inactive", "DidChangeOcclusionState → inactive"]
    )
    let other = MacStage()
    try other.connect(.occluded, isLaunched: true)
    other.set(active: true, visible: true)
    other.post("DidChangeOcclusionState")
    cover(other)
    other.clock.sleepDevice(for: .seconds(60))
    // Activated by its icon before it has opened a window.
    other.set(active: true)
    other.post("DidBecomeActive")
    other.set(visible: true)
    other.post("DidChangeOcclusionState")
    expectNoDifference(
      other.take(),
      [
        "connect: didFinishLaunching → background",
        "DidChangeOcclusionState: willEnterForeground*, didBecomeActive → active",
        "WillResignActive: willResignActive → inactive",
        "DidChangeOcclusionState: didEnterBackground → background",
        "DidBecomeActive → background",
        "DidChangeOcclusionState: willEnterForeground*, away 60 s, didBecomeActive → active",
      ]
    )
  }

  @Test("Connected late, it finds the phase", arguments: [AppKitBackground.hidden, .occluded])
  func connectedLate(_ background: AppKitBackground) throws {
    var found: [String] = []
    for (active, hidden, visible) in [
      (true, false, true), (false, false, true), (false, false, false), (false, true, false),
    ] {
      let stage = MacStage()
      stage.set(active: active, hidden: hidden, visible: visible)
      try stage.connect(background, isLaunched: true)
      found.append("\(stage.bus.phase)")
    }
    let covered = background == .hidden ? "inactive" : "background"
    expectNoDifference(found, ["active", "inactive", covered, "background"])
  }

  @Test("Where the application can't be asked, its notifications still count")
  func withoutState() throws {
    for background in [AppKitBackground.hidden, .occluded] {
      let stage = MacStage()
      stage.forget()
      try stage.connect(background)
      stage.post("DidFinishLaunching", "DidBecomeActive", "DidChangeOcclusionState", "DidHide")
      stage.post("WillUnhide")
      let isHidden = background == .hidden
      expectNoDifference(
        stage.take(),
        [
          "connect → unknown", "DidFinishLaunching: didFinishLaunching → background",
          "DidBecomeActive: willEnterForeground*, didBecomeActive → active",
          "DidChangeOcclusionState → active",
          isHidden
            ? "DidHide: willResignActive*, didEnterBackground → background" : "DidHide → active",
          isHidden
            ? "WillUnhide: willEnterForeground, away 0 s → inactive"
            : "WillUnhide → active",
        ]
      )
    }
  }

  @Test("Notices of protected data are delivered, and the end terminates the bus")
  func noticesAndEnd() throws {
    try launch(.hidden)
    stage.post("ProtectedDataWillBecomeUnavailable", "ProtectedDataDidBecomeAvailable")
    stage.post("WillTerminate", "DidBecomeActive")
    expectNoDifference(
      stage.take(),
      [
        "ProtectedDataWillBecomeUnavailable: protectedDataWillBecomeUnavailable → active",
        "ProtectedDataDidBecomeAvailable: protectedDataDidBecomeAvailable → active",
        "WillTerminate: willResignActive*, didEnterBackground*, willTerminate → terminated",
        "DidBecomeActive → terminated",
      ]
    )
  }
}

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

  @Test("While another user has the screen, the application is in the background")
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
    #expect(
      stage.bus.diagnostics.suppressedCounts[.masked, default: 0] == 1
        && stage.bus.diagnostics.suppressedCounts[.duplicate, default: 0] == 2
    )
  }

  @Test("While the screens are asleep, or another user has them, it is in the background")
  func screensAsleep() throws {
    try launch()
    stage.postWorkspace("ScreensDidSleep")
    stage.clock.advance(by: .seconds(60))
    stage.postWorkspace("SessionDidResignActive", "ScreensDidWake", "SessionDidBecomeActive")
    // The wake of the screens is missed.
    stage.postWorkspace("ScreensDidSleep", "WillSleep", "DidWake")
    expectNoDifference(
      stage.take(),
      [
        "ScreensDidSleep: willResignActive*, didEnterBackground → background",
        "SessionDidResignActive → background", "ScreensDidWake → background",
        "SessionDidBecomeActive: willEnterForeground*, away 60 s, didBecomeActive → active",
        "ScreensDidSleep: willResignActive*, didEnterBackground → background",
        "WillSleep: systemWillSleep → background",
        "DidWake: systemDidWake, willEnterForeground*, away 0 s, didBecomeActive → active",
      ]
    )
  }

  @Test("An application that is launched in an inactive session is in the background")
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

  @Test("The workspace's notifications count in its own centre, and not in the default one")
  func otherCentre() throws {
    try stage.connect(.hidden)
    stage.set(active: true)
    stage.post("DidFinishLaunching")
    _ = stage.take()
    stage.postWorkspace("SessionDidResignActive", "WillSleep")
    expectNoDifference(stage.take(), ["SessionDidResignActive → active", "WillSleep → active"])
    #expect(stage.bus.diagnostics.ceilings.isEmpty)
    try stage.connectWorkspace()
    stage.postWorkspace("WillSleep", "DidWake", "WillPowerOff")
    expectNoDifference(
      stage.take(),
      [
        "WillSleep: systemWillSleep → active", "DidWake: systemDidWake → active",
        "WillPowerOff: systemWillPowerOff → active",
      ]
    )
  }
}

@Suite("The answer to a system that asks whether a process may end")
struct TerminationReplyMachineTests {
  @Test(
    "An answer is returned if it is known in time, otherwise given later",
    arguments: [false, true]
  )
  func answer(_ mayEnd: Bool) {
    var (early, late) = (TerminationReplyMachine(), TerminationReplyMachine())
    let isGivenEarly = early.answer(mayEnd)
    expectNoDifference(early.returnNow(), mayEnd)
    expectNoDifference(late.returnNow(), nil)
    let isGivenLate = late.answer(mayEnd)
    #expect(!isGivenEarly && isGivenLate)
  }
}
