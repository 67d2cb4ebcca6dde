import CustomDump
import LifecycleSources
import LifecycleTesting
import ReactiveLifecycle
import Testing

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

  @Test("Launched in front")
  func launchedInFront() throws {
    try stage.connect(.hidden)
    stage.post("DidFinishLaunching")
    stage.set(active: true)
    stage.post("DidBecomeActive")
    expectNoDifference(
      stage.take(),
      [
        "connect → unknown",
        "DidFinishLaunching: didFinishLaunching*, willEnterForeground → inactive",
        "DidBecomeActive: didBecomeActive → active",
      ]
    )
  }

  @Test(
    "Launched hidden, as a login item can be, then shown without being activated, then activated"
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
    "Hidden with Cmd-H and shown again by its icon: the same whenever AppKit says that it resigned",
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
    let expected = [
      [
        "WillResignActive: willResignActive → inactive", "WillHide → inactive",
        "DidHide: didEnterBackground → background",
        "DidBecomeActive: willEnterForeground*, away 30 s, didBecomeActive → active",
        "WillUnhide → active", "DidUnhide → active",
      ],
      [
        "WillHide → active", "WillResignActive: willResignActive → inactive",
        "DidHide: didEnterBackground → background",
        "WillUnhide: willEnterForeground, away 30 s → inactive",
        "DidBecomeActive: didBecomeActive → active", "DidUnhide → active",
      ],
      [
        "WillHide → active", "DidHide: willResignActive*, didEnterBackground → background",
        "WillResignActive → background",
        "WillUnhide: willEnterForeground, away 30 s → inactive", "DidUnhide → inactive",
        "DidBecomeActive: didBecomeActive → active",
      ],
    ]
    expectNoDifference(stage.take(), expected[position])
  }

  @Test("Launched behind another application, and hidden there: it had nothing to resign")
  func hiddenFromTheDock() throws {
    try stage.connect(.hidden)
    stage.post("DidFinishLaunching", "WillHide", "DidHide", "WillUnhide", "DidUnhide")
    expectNoDifference(
      stage.take(),
      [
        "connect → unknown",
        "DidFinishLaunching: didFinishLaunching*, willEnterForeground → inactive",
        "WillHide → inactive", "DidHide: didEnterBackground → background",
        "WillUnhide: willEnterForeground, away 0 s → inactive", "DidUnhide → inactive",
      ]
    )
  }

  @Test("Hidden without losing its activity: shown again, it is active, though nobody says so")
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
    try launch(.hidden)
    stage.set(active: false)
    stage.post("WillResignActive")
    stage.set(visible: false)
    stage.post("DidChangeOcclusionState")
    expectNoDifference(
      stage.take(),
      ["WillResignActive: willResignActive → inactive", "DidChangeOcclusionState → inactive"]
    )
    let other = MacStage()
    try other.connect(.occluded, isLaunched: true)
    other.set(active: true, visible: true)
    other.post("DidChangeOcclusionState")
    other.set(active: false)
    other.post("WillResignActive")
    other.set(visible: false)
    other.post("DidChangeOcclusionState")
    other.clock.sleepDevice(for: .seconds(60))
    other.set(visible: true)
    other.post("DidChangeOcclusionState")
    other.set(active: true)
    other.post("DidBecomeActive")
    expectNoDifference(
      other.take(),
      [
        "connect: didFinishLaunching → background",
        "DidChangeOcclusionState: willEnterForeground*, didBecomeActive → active",
        "WillResignActive: willResignActive → inactive",
        "DidChangeOcclusionState: didEnterBackground → background",
        "DidChangeOcclusionState: willEnterForeground, away 60 s → inactive",
        "DidBecomeActive: didBecomeActive → active",
      ]
    )
  }

  @Test(
    "The last window closed while in front: in the background if occlusion counts, until one opens"
  )
  func noWindow() throws {
    try launch(.occluded)
    stage.set(visible: false)
    stage.post("DidChangeOcclusionState")
    // In front all the time, it is activated again by its icon before it has opened a window.
    stage.post("DidBecomeActive")
    stage.set(visible: true)
    stage.post("DidChangeOcclusionState")
    expectNoDifference(
      stage.take(),
      [
        "DidChangeOcclusionState: willResignActive*, didEnterBackground → background",
        "DidBecomeActive → background",
        "DidChangeOcclusionState: willEnterForeground*, away 0 s, didBecomeActive → active",
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

  @Test("Protected data and the end")
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
