import ArgumentParser
import Dispatch
import LifecycleBackgroundWork
import LifecycleCore
import LifecycleProcess
import LifecycleSupport
import TestSupport

/// `NAME,WHEN,HOLD,GRACE,DELAY`: a task of a coordinator of its own.
///
/// It is begun before the probe is ready, or by the observer of `didEnterBackground`, or a moment after
/// it, or by the observer of a return.
/// It is ended `HOLD` milliseconds after the first observer of a stop or an end that is called while it is
/// open, or never. The host's grace is in milliseconds; without one, it is the default. With `end` as the
/// last word, it delays the end alone.
struct ProbeTask: ExpressibleByArgument, Sendable {
  enum Beginning: String {
    case before, during, after, again
  }

  let name: String
  let beginning: Beginning
  let hold: Int?
  let coordinator: BackgroundTaskCoordinator

  init?(argument: String) {
    let words = argument.split(separator: ",").map(String.init)
    guard words.count >= 3, let beginning = Beginning(rawValue: words[1]) else { return nil }
    name = words[0]
    self.beginning = beginning
    hold = Int(words[2])
    // It begins after the observer is called.
    guard beginning != .after || hold == nil else { return nil }
    guard words.count > 3 else {
      coordinator = BackgroundTaskCoordinator(host: .process())
      return
    }
    guard let grace = Int(words[3]) else { return nil }
    coordinator = BackgroundTaskCoordinator(
      host: .process(
        grace: .milliseconds(grace),
        delaying: words.last == "end" ? .end : .stopAndEnd
      )
    )
  }
}

/// The probe's background tasks.
final class ProbeTasks: Sendable {
  private let all: [ProbeTask]
  private let open = Locked<[String: BackgroundTask]>([:])

  init(_ all: [ProbeTask]) {
    self.all = all
  }

  func begin(_ beginning: ProbeTask.Beginning) {
    for probeTask in all where probeTask.beginning == beginning {
      let name = probeTask.name
      let task = probeTask.coordinator.beginTask(named: name) { emit(.taskExpired(name)) }
      let isGranted = task.isGranted
      open.withLock { $0[name] = task }
      emit(.taskBegan(name, isGranted: isGranted))
    }
  }

  func receive(_ event: LifecycleEvent) {
    switch event.kind {
    case .didEnterBackground, .willTerminate:
      if event.kind == .didEnterBackground {
        begin(.during)
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(50)) { [self] in
          begin(.after)
        }
      }
      for task in all { scheduleEnd(of: task) }
    case .didBecomeActive where event.sequenceNumber > 3:
      begin(.again)
    default: break
    }
  }

  private func scheduleEnd(of task: ProbeTask) {
    let (name, hold) = (task.name, task.hold)
    // Another task of that name may begin before the time has passed.
    guard let hold, let begun = open.withLock({ $0.removeValue(forKey: name) }) else { return }
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(hold)) {
      emit(.taskEnded(name))
      begun.end()
    }
  }
}
