import ReactiveLifecycle
import Testing

/// What comes over an application that its user has in front of them.
@MainActor
@Suite("UIKit scripts: interruptions")
struct InterruptionScriptTests {
  // Apple, willResignActiveNotification; tao#1307: never the background.
  @Test("Control Center opened and closed")
  func controlCenter() throws {
    try expectScript(
      """
      launch main                 active
      main.willDeactivate         [masked]
      app.willResignActive        willResignActive → inactive
      wait 5 s
      main.didActivate            didBecomeActive → active, main
      app.didBecomeActive         [masked]
      participants                application active, scene main active
      """
    )
  }

  // Radars 49216830 and 33153062, flutter#60683, react-native#18575: active once more while it slides
  // down. All of it is true, so all of it is told.
  @Test("Notification Center opened and closed: inactive, active, inactive, active")
  func notificationCenter() throws {
    try expectScript(
      """
      launch main                 active
      main.willDeactivate         [masked]
      app.willResignActive        willResignActive → inactive
      main.didActivate            didBecomeActive → active, main
      app.didBecomeActive         [masked]
      main.willDeactivate         [masked]
      app.willResignActive        willResignActive → inactive
      wait 5 s
      main.didActivate            didBecomeActive → active, main
      app.didBecomeActive         [masked]
      participants                application active, scene main active
      """
    )
  }

  // Two reports, and otherwise from memory: a call that fills the screen. One that is shown as a banner
  // posts nothing (onmyway133/notes#8, flutter_callkit#342).
  @Test("A call declined")
  func callDeclined() throws {
    try expectScript(
      """
      launch main                 active
      main.willDeactivate         [masked]
      app.willResignActive        willResignActive → inactive
      wait 8 s
      main.didActivate            didBecomeActive → active, main
      app.didBecomeActive         [masked]
      participants                application active, scene main active
      """
    )
  }

  @Test("A call answered, and the application opened after it")
  func callAnswered() throws {
    try expectScript(
      """
      launch main                 active
      main.willDeactivate         [masked]
      app.willResignActive        willResignActive → inactive
      wait 8 s
      main.didEnterBackground     [masked]
      app.didEnterBackground      didEnterBackground → background
      wait 3 min
      main.willEnterForeground    willEnterForeground → inactive, main, away 180 s
      app.willEnterForeground     [masked]
      main.didActivate            didBecomeActive → active, main
      app.didBecomeActive         [masked]
      participants                application active, scene main active
      """
    )
  }

  // Reported by four: no background.
  @Test("The app switcher and back")
  func appSwitcher() throws {
    try expectScript(
      """
      launch main                 active
      main.willDeactivate         [masked]
      app.willResignActive        willResignActive → inactive
      wait 2 s
      main.didActivate            didBecomeActive → active, main
      app.didBecomeActive         [masked]
      participants                application active, scene main active
      """
    )
  }

  // Radar 13677039 (iOS 6): after the switcher didBecomeActive can be missing. The next
  // notifications put it right.
  @Test("The app switcher and back without a word, then home")
  func appSwitcherWithoutWord() throws {
    try expectScript(
      """
      launch main                 active
      main.willDeactivate         [masked]
      app.willResignActive        willResignActive → inactive
      wait 2 s
      main.willDeactivate         [duplicate]
      app.willResignActive        [duplicate]
      main.didEnterBackground     [masked]
      app.didEnterBackground      didEnterBackground → background
      participants                application background, scene main background
      """
    )
  }

  // Chromium's main_application_delegate.mm: the application's notification follows the first scene's
  // to the foreground and the last scene's to the background.
  @Test("Home and back")
  func homeAndBack() throws {
    try expectScript(
      """
      launch main                 active
      main.willDeactivate         [masked]
      app.willResignActive        willResignActive → inactive
      main.didEnterBackground     [masked]
      app.didEnterBackground      didEnterBackground → background
      wait 90 s
      main.willEnterForeground    willEnterForeground → inactive, main, away 90 s
      app.willEnterForeground     [masked]
      main.didActivate            didBecomeActive → active, main
      app.didBecomeActive         [masked]
      participants                application active, scene main active
      """
    )
  }

  // The places of the notices are from memory: about ten seconds after the lock, with a passcode, and
  // before the return. The scenes' table has no notices.
  @Test("Screen lock and unlock, with protected data")
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

  // flutter#60683, 30 January 2025: an iPhone 15 with iOS 18.3.
  @Test("Screen lock with a bounce: inactive, active, inactive, then the background")
  func lockWithBounce() throws {
    try expectScript(
      """
      launch main                 active
      main.willDeactivate         [masked]
      app.willResignActive        willResignActive → inactive
      main.didActivate            didBecomeActive → active, main
      app.didBecomeActive         [masked]
      main.willDeactivate         [masked]
      app.willResignActive        willResignActive → inactive
      main.didEnterBackground     [masked]
      app.didEnterBackground      didEnterBackground → background
      wait 1 min
      main.willEnterForeground    willEnterForeground → inactive, main, away 60 s
      app.willEnterForeground     [masked]
      main.didActivate            didBecomeActive → active, main
      app.didBecomeActive         [masked]
      participants                application active, scene main active
      """
    )
  }
}
