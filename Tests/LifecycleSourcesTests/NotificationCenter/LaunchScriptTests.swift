import ReactiveLifecycle
import Testing

/// How an application comes to life, by UIKit's notifications.
@MainActor
@Suite("UIKit scripts: launches")
struct LaunchScriptTests {
  // The delegate's order is that of Apple's "About the app launch sequence"; the application's
  // willEnterForeground comes "around launch time, as the launching scene transitions" (its
  // documentation), right after the scene's (Chromium's main_application_delegate.mm).
  @Test("Cold launch with a scene")
  func coldWithScene() throws {
    try expectScript(
      """
      app.didFinishLaunching      didFinishLaunching → background [duplicate]
      main.willConnect            [masked]
      main.willEnterForeground    willEnterForeground → inactive, main
      app.willEnterForeground     [masked]
      main.didActivate            didBecomeActive → active, main
      app.didBecomeActive         [masked]
      participants                application active, scene main active
      """
    )
  }

  // TelemetryDeck#113, HockeySDK#246: no willEnterForeground. Without scenes nobody
  // speaks for one.
  @Test("Cold launch without scenes")
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

  // Apple, "About the app launch sequence": prewarming stops before main() calls UIApplicationMain.
  @Test("Prewarmed as documented: connected hours before anything is posted, nothing is known")
  func prewarmedBeforeMain() throws {
    try expectScript(
      """
      phase                       unknown
      wait 4 h
      phase                       unknown
      app.didFinishLaunching      didFinishLaunching → background [duplicate]
      main.willConnect            [masked]
      main.willEnterForeground    willEnterForeground → inactive, main
      app.willEnterForeground     [masked]
      main.didActivate            didBecomeActive → active, main
      app.didBecomeActive         [masked]
      participants                application active, scene main active
      """
    )
  }

  // Radar 14295449: in the background nothing but the launch is posted.
  @Test("Launched in the background without scenes, then opened: the first foreground has no stay")
  func backgroundWithoutScenes() throws {
    try expectScript(
      """
      app.didFinishLaunching      didFinishLaunching → background [duplicate]
      wait 30 min
      phase                       background
      app.willEnterForeground     willEnterForeground → inactive
      app.didBecomeActive         didBecomeActive → active
      participants                application active
      """,
      scenes: [.didFinishLaunching]
    )
  }

  // WordPress#25643: background launches run before any scene exists.
  @Test("Launched in the background, then opened: the scene connects when it is needed")
  func backgroundThenScene() throws {
    try expectScript(
      """
      app.didFinishLaunching      didFinishLaunching → background [duplicate]
      wait 30 min
      phase                       background
      main.willConnect            [masked]
      main.willEnterForeground    willEnterForeground → inactive, main
      app.willEnterForeground     [masked]
      main.didActivate            didBecomeActive → active, main
      app.didBecomeActive         [masked]
      participants                application active, scene main active
      """
    )
  }

  // Apple's documentation: "a system-requested scene typically moves to the background". Whether
  // didEnterBackground is posted for it is not documented.
  @Test("Launched in the background with a scene of the system's, then opened")
  func backgroundWithScene() throws {
    try expectScript(
      """
      app.didFinishLaunching      didFinishLaunching → background [duplicate]
      main.willConnect            [masked]
      main.didEnterBackground     [duplicate]
      wait 30 min
      phase                       background
      main.willEnterForeground    willEnterForeground → inactive, main
      app.willEnterForeground     [masked]
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
