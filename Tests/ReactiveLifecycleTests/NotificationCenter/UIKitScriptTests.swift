import LifecycleCore
import Testing

/// How an application comes to life, by UIKit's notifications.
@MainActor
@Suite("UIKit scripts: launches")
struct LaunchScriptTests {
  // TelemetryDeck#113, HockeySDK#246: no willEnterForeground. Without scenes nobody
  // speaks for one.
  @Test("A cold launch without scenes is active, with willEnterForeground synthesized")
  func coldWithoutScenes() throws {
    try expectScript(
      """
      app.didFinishLaunching      didFinishLaunching → background [duplicate]
      app.didBecomeActive         willEnterForeground → inactive, filled in
                                  didBecomeActive → active
      participants                application active
      """,
      scenes: [.didFinishLaunching]
    )
  }

  // sentry-cocoa#1897: main() ran to UIApplicationMain and further, then nothing for four hours.
  @Test("Prewarmed: launched hours before it is opened, it is in the background until then")
  func prewarmedStaysInBackgroundUntilOpened() throws {
    try expectScript(
      """
      phase                       unknown
      app.didFinishLaunching      didFinishLaunching → background [duplicate]
      main.willConnect            [masked]
      phase                       background
      wait 4 h
      phase                       background
      main.willEnterForeground    willEnterForeground → inactive, main
      app.willEnterForeground     [masked]
      phase                       inactive
      main.didActivate            didBecomeActive → active, main
      app.didBecomeActive         [masked]
      participants                application active, scene main active
      """
    )
  }

  // organicmaps#12612: started by CarPlay, there is no scene on the phone yet.
  @Test("Launched on CarPlay, then opened on the phone, which is locked while the car goes on")
  func carPlay() throws {
    try expectScript(
      """
      app.didFinishLaunching      didFinishLaunching → background [duplicate]
      car.willConnect             [masked]
      car.willEnterForeground     willEnterForeground → inactive, car
      app.willEnterForeground     [masked]
      car.didActivate             didBecomeActive → active, car
      app.didBecomeActive         [masked]
      wait 1 min
      main.willConnect            [masked]
      main.willEnterForeground    [masked]
      main.didActivate            [masked]
      wait 1 min
      main.willDeactivate         [masked]
      main.didEnterBackground     [masked]
      phase                       active
      wait 1 min
      car.willDeactivate          [masked]
      app.willResignActive        willResignActive → inactive
      car.didEnterBackground      [masked]
      app.didEnterBackground      didEnterBackground → background
      car.didDisconnect           [masked]
      participants                application background, scene main background
      """
    )
  }
}

/// What comes over an application that its user has in front of them.
@MainActor
@Suite("UIKit scripts: interruptions")
struct InterruptionScriptTests {
  // The places of the notices are from memory: about ten seconds after the lock, with a passcode, and
  // before the return. The scenes' table has no notices.
  @Test("Screen lock and unlock are a stay in the background, with notices of protected data")
  func screenLockAndUnlock() throws {
    try expectScript(
      """
      launch main                 active
      main.willDeactivate         [masked]
      app.willResignActive        willResignActive → inactive
      main.didEnterBackground     [masked]
      app.didEnterBackground      didEnterBackground → background
      wait 10 s
      app.protectedDataWillBecomeUnavailable protectedDataWillBecomeUnavailable
      wait 50 s
      app.protectedDataDidBecomeAvailable protectedDataDidBecomeAvailable
      main.willEnterForeground    willEnterForeground → inactive, main, away 60 s
      app.willEnterForeground     [masked]
      main.didActivate            didBecomeActive → active, main
      app.didBecomeActive         [masked]
      participants                application active, scene main active
      """
    )
  }
}

/// Several scenes. The application posts only when all of them together move (Apple,
/// willEnterForegroundNotification).
@MainActor
@Suite("UIKit scripts: scenes")
struct SceneScriptTests {
  // home-assistant#1047: the application goes to the background with its last window.
  @Test("Mac Catalyst: closing the last window is the background, although no scene posts it")
  func lastWindowOfCatalystClosesWithoutBackground() throws {
    try expectScript(
      """
      launch left                 active
      right.didActivate           [masked]
      left.willDeactivate         [masked]
      left.didDisconnect          [masked]
      phase                       active
      right.willDeactivate        [masked]
      app.willResignActive        willResignActive → inactive
      right.didDisconnect         [masked]
      app.didEnterBackground      didEnterBackground → background
      phase                       background
      wait 1 h
      left'.willConnect           [masked]
      left'.willEnterForeground   willEnterForeground → inactive, left, away 3600 s
      app.willEnterForeground     [masked]
      left'.didActivate           didBecomeActive → active, left
      app.didBecomeActive         [masked]
      participants                application active, scene left active
      """
    )
  }
}

/// How an application ends, or nearly, in all the orders that were reported.
@MainActor
@Suite("UIKit scripts: ends")
struct KillScriptTests {
  // matt's answer on Stack Overflow: iPad, scenes without multiple windows.
  @Test("Killed from the switcher on an iPad, a scene that disconnects while active ends in order")
  func disconnectedWhileActive() throws {
    try expectScript(
      """
      launch main                 active
      main.didDisconnect          [masked]
      app.willTerminate           willResignActive → inactive, filled in
                                  didEnterBackground → background, filled in
                                  willTerminate → terminated [terminated]
      participants                application terminated
      """
    )
  }

  // Apple forum 732170, the quick kill: the second scene is another object, and never activates. "With
  // AppDelegate … applicationWillEnterForeground is called before applicationDidEnterBackground." With
  // the scenes alone nothing shows that the process stayed in sight between the two.
  @Test("The quick kill: another scene enters the foreground after the first was disconnected")
  func quickKill() throws {
    try expectScript(
      """
      launch main                 active
      main.willDeactivate         [masked]
      app.willResignActive        willResignActive → inactive
      main.didDisconnect          [masked]
      main'.willEnterForeground   [masked]
      app.willEnterForeground     [duplicate]
      main'.didEnterBackground    [masked]
      app.didEnterBackground      didEnterBackground → background
      app.willTerminate           willTerminate → terminated [terminated]
      participants                application terminated, scene main background
      """,
      scenes: [
        .willResignActive, .didEnterBackground, .willEnterForeground, .didEnterBackground,
        .willTerminate,
      ]
    )
  }
}
