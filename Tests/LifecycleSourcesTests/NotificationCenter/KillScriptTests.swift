import ReactiveLifecycle
import Testing

/// How an application ends, or nearly, in all the orders that were reported.
@MainActor
@Suite("UIKit scripts: ends")
struct KillScriptTests {
  // matt's answer on Stack Overflow: iPhone, the scene in front.
  @Test("Killed from the switcher: the background, then the end")
  func killedFromTheSwitcher() throws {
    try expectScript(
      """
      launch main                 active
      main.willDeactivate         [masked]
      app.willResignActive        willResignActive → inactive
      main.didEnterBackground     [masked]
      app.willTerminate           didEnterBackground → background, filled in
                                  willTerminate → terminated [terminated]
      participants                application terminated, scene main background
      """
    )
  }

  // The same, should the application tell of the background, too, as Chromium's comment has it.
  @Test("Killed from the switcher: the application tells of the background, too")
  func killedWithBackground() throws {
    try expectScript(
      """
      launch main                 active
      main.willDeactivate         [masked]
      app.willResignActive        willResignActive → inactive
      main.didEnterBackground     [masked]
      app.didEnterBackground      didEnterBackground → background
      main.didDisconnect          [masked]
      app.willTerminate           willTerminate → terminated [terminated]
      participants                application terminated
      """
    )
  }

  // Apple forum 732170, the slow kill: no didEnterBackground.
  @Test("Killed from the switcher: the scene is disconnected without a word of the background")
  func killedFromSwitcherDisconnectsScene() throws {
    try expectScript(
      """
      launch main                 active
      main.willDeactivate         [masked]
      app.willResignActive        willResignActive → inactive
      main.didDisconnect          [masked]
      app.willTerminate           didEnterBackground → background, filled in
                                  willTerminate → terminated [terminated]
      participants                application terminated
      """
    )
  }

  // matt's answer on Stack Overflow: iPad, scenes without multiple windows.
  @Test("Killed from the switcher on an iPad: disconnected while active")
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

  // The same answer: nothing is posted.
  @Test("Killed when it is not in front: nothing more is told")
  func killedInBackground() throws {
    try expectScript(
      """
      launch main                 active
      main.willDeactivate         [masked]
      app.willResignActive        willResignActive → inactive
      main.didEnterBackground     [masked]
      app.didEnterBackground      didEnterBackground → background
      wait 1 h
      phase                       background
      participants                application background, scene main background
      """
    )
  }

  // Apple forum 732170, the quick kill: the second scene is another object, and never activates. "With
  // AppDelegate … applicationWillEnterForeground is called before applicationDidEnterBackground." With
  // the scenes alone nothing tells that the process stayed in sight between the two.
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

  // The same, should the application, as the aggregate that it is, tell of both backgrounds.
  @Test("The quick kill: with the application's notifications for each of the two scenes")
  func quickKillOfAggregate() throws {
    try expectScript(
      """
      launch main                 active
      main.willDeactivate         [masked]
      app.willResignActive        willResignActive → inactive
      main.didDisconnect          [masked]
      app.didEnterBackground      didEnterBackground → background
      main'.willEnterForeground   willEnterForeground → inactive, main, away 0 s
      app.willEnterForeground     [masked]
      main'.didEnterBackground    [masked]
      app.didEnterBackground      didEnterBackground → background
      app.willTerminate           willTerminate → terminated [terminated]
      participants                application terminated, scene main background
      """
    )
  }

  // Radar 14075101: killed while it works in the background, it is told so again.
  @Test("A second didEnterBackground: the stay began with the first")
  func secondBackground() throws {
    try expectScript(
      """
      launch main                 active
      main.willDeactivate         [masked]
      app.willResignActive        willResignActive → inactive
      main.didEnterBackground     [masked]
      app.didEnterBackground      didEnterBackground → background
      wait 10 min
      app.didEnterBackground      [duplicate]
      main.didEnterBackground     [duplicate]
      wait 5 min
      main.willEnterForeground    willEnterForeground → inactive, main, away 900 s
      app.willEnterForeground     [masked]
      main.didActivate            didBecomeActive → active, main
      app.didBecomeActive         [masked]
      participants                application active, scene main active
      """
    )
  }
}
