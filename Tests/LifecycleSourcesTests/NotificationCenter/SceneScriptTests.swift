import ReactiveLifecycle
import Testing

/// Several scenes. The application posts only when all of them together move (Apple,
/// willEnterForegroundNotification).
@MainActor
@Suite("UIKit scripts: scenes")
struct SceneScriptTests {
  // Youngminah/TIL#97 for the scene's order; the application is in the foreground already.
  @Test("A second scene is opened: the application has not moved")
  func secondScene() throws {
    try expectScript(
      """
      launch left                 active
      right.willConnect           [masked]
      right.willEnterForeground   [masked]
      right.didActivate           [masked]
      participants                application active, scene left active, scene right active
      """
    )
  }

  // vultisig#5096: two scenes that are active at once are the rule.
  @Test("Split view: one of two active scenes deactivates, and goes to the background")
  func splitView() throws {
    try expectScript(
      """
      launch left                 active
      right.didActivate           [masked]
      left.willDeactivate         [masked]
      left.didEnterBackground     [masked]
      wait 1 min
      right.willDeactivate        [masked]
      app.willResignActive        willResignActive → inactive
      right.didEnterBackground    [masked]
      app.didEnterBackground      didEnterBackground → background
      wait 1 min
      left.willEnterForeground    willEnterForeground → inactive, left, away 60 s
      app.willEnterForeground     [masked]
      left.didActivate            didBecomeActive → active, left
      app.didBecomeActive         [masked]
      participants                application active, scene left active, scene right background
      """
    )
  }

  // From memory; the order of the scenes is arbitrary.
  @Test("Split view is resized: inactive only if both scenes are")
  func splitViewResized() throws {
    try expectScript(
      """
      launch left                 active
      right.didActivate           [masked]
      left.willDeactivate         [masked]
      left.didActivate            [masked]
      left.willDeactivate         [masked]
      right.willDeactivate        [masked]
      app.willResignActive        willResignActive → inactive
      right.didActivate           didBecomeActive → active, right
      app.didBecomeActive         [masked]
      left.didActivate            [masked]
      participants                application active, scene left active, scene right active
      """
    )
  }

  // Apple, sceneDidDisconnect(_:) and application(_:didDiscardSceneSessions:).
  @Test("The user closes one of two scenes")
  func oneOfTwoScenesIsClosed() throws {
    try expectScript(
      """
      launch left                 active
      right.didActivate           [masked]
      right.willDeactivate        [masked]
      right.didEnterBackground    [masked]
      right.didDisconnect         [masked]
      participants                application active, scene left active
      """
    )
  }

  @Test("The user closes one of two active scenes, which is disconnected without another word")
  func closedWhileActive() throws {
    try expectScript(
      """
      launch left                 active
      right.didActivate           [masked]
      right.didDisconnect         [masked]
      participants                application active, scene left active
      """
    )
  }

  // Apple, UISceneSession: the session outlives its scene; WordPress#25643: and connects again in
  // the same process, with another scene.
  @Test("The system reclaims a scene in the background; its session connects again with another")
  func systemReclaimsSceneInBackground() throws {
    try expectScript(
      """
      launch main                 active
      main.willDeactivate         [masked]
      app.willResignActive        willResignActive → inactive
      main.didEnterBackground     [masked]
      app.didEnterBackground      didEnterBackground → background
      wait 2 h
      main.didDisconnect          [masked]
      phase                       background
      wait 1 h
      main'.willConnect           [masked]
      main'.willEnterForeground   willEnterForeground → inactive, main, away 10800 s
      app.willEnterForeground     [masked]
      main'.didActivate           didBecomeActive → active, main
      app.didBecomeActive         [masked]
      participants                application active, scene main active
      """
    )
  }

  // No such order was reported; it must not be the end of the session.
  @Test("A session connects again before its old scene is disconnected")
  func reconnectedBefore() throws {
    try expectScript(
      """
      launch main                 active
      main.willDeactivate         [masked]
      app.willResignActive        willResignActive → inactive
      main.didEnterBackground     [masked]
      app.didEnterBackground      didEnterBackground → background
      main'.willConnect           [masked]
      main.didDisconnect          [masked]
      wait 1 min
      main'.willEnterForeground   willEnterForeground → inactive, main, away 60 s
      app.willEnterForeground     [masked]
      main'.didActivate           didBecomeActive → active, main
      app.didBecomeActive         [masked]
      main'.willDeactivate        [masked]
      app.willResignActive        willResignActive → inactive
      participants                application inactive, scene main (2) inactive
      """
    )
  }

  // UIKit does not do so.
  @Test("A scene is released without a word, and its session connects again")
  func releasedWithoutWord() throws {
    try expectScript(
      """
      launch left                 active
      left.willDeactivate         [masked]
      app.willResignActive        willResignActive → inactive
      release left
      participants                application inactive, scene left inactive
      left'.willConnect           [masked]
      app.didEnterBackground      didEnterBackground → background
      participants                application background, scene left (2) background
      """
    )
  }

  // home-assistant#1047: the application goes to the background with its last window.
  @Test("Mac Catalyst: the last window is closed without a word of its background")
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

  // Salesforce#3679: the scene on the other screen enters the foreground, and never
  // activates.
  @Test("AirPlay: the scene on the other screen is never active")
  func airPlay() throws {
    try expectScript(
      """
      launch main                 active
      tv.willConnect              [masked]
      tv.willEnterForeground      [masked]
      main.willDeactivate         [masked]
      app.willResignActive        willResignActive → inactive
      main.didEnterBackground     [masked]
      tv.didEnterBackground       [masked]
      app.didEnterBackground      didEnterBackground → background
      wait 1 min
      tv.willEnterForeground      willEnterForeground → inactive, tv, away 60 s
      app.willEnterForeground     [masked]
      main.willEnterForeground    [masked]
      main.didActivate            didBecomeActive → active, main
      app.didBecomeActive         [masked]
      participants                application active, scene main active, scene tv inactive
      """
    )
  }

  // UIKit's application is as far forward as its most forward scene, and so is the bus.
  @Test("AirPlay: while the other screen goes on, the phone's background is not the application's")
  func airPlayGoesOn() throws {
    try expectScript(
      """
      launch main                 active
      tv.willConnect              [masked]
      tv.willEnterForeground      [masked]
      main.willDeactivate         [masked]
      app.willResignActive        willResignActive → inactive
      main.didEnterBackground     [masked]
      phase                       inactive
      wait 1 min
      tv.didDisconnect            [masked]
      app.didEnterBackground      didEnterBackground → background
      participants                application background, scene main background
      """
    )
  }
}
