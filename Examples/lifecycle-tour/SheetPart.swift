import LifecycleBackgroundWork
import ReactiveLifecycle

/// Part 9: a screen inside an application, which is never further forward than it is.
@MainActor
enum SheetPart {
  static func run(_ narrator: Narrator) async {
    narrator.title("9. A sheet inside an application")
    let application = LifecycleBus()
    let sheet = LifecycleBus(parent: application)
    let scope = LifecycleScope("sheet")
    let log = scope.task(for: sheet.events) { events in
      var kinds: [String] = []
      for await event in events { kinds.append(event.kind.rawValue) }
      return kinds
    }
    let hint = LifecycleScope("hint", parent: scope)
    hint.end(when: .background, of: application)

    application.send(.didBecomeActive)
    sheet.send(.didBecomeActive)
    var kinds: [String] = []
    let late = sheet.addObserver(catchUp: .path) { event in kinds.append(event.kind.rawValue) }
    late.cancel()
    let up = ["willEnterForeground", "didBecomeActive"]
    let steps = ["didFinishLaunching"] + up
    narrator.claim("an observer that is late receives the steps up to now", kinds, steps)
    let granted = await withBackgroundTask(named: "upload") {
      BackgroundTaskCoordinator.application.grantedTasks
    }
    narrator.claim("its upload would delay a stop of the process", granted, ["upload"])

    application.send(.didEnterBackground)
    narrator.claim("it leaves with the application", sheet.phase, .background)
    let ceilings = sheet.diagnostics.ceilings.map(\.phase)
    narrator.claim("the application is its only ceiling", ceilings, [.background])
    narrator.claim("its hint ends, and it does not", [hint.isEnded, scope.isEnded], [true, false])
    application.send(.willTerminate)
    let all = up + ["willResignActive", "didEnterBackground", "willTerminate"]
    narrator.claim("its stream ends with the application, complete", await log.value, all)
  }
}
