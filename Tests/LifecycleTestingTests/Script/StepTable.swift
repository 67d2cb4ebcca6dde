import LifecycleTesting
import ReactiveLifecycle

/// What a person would say about a process: whether it runs, and how it stands.
enum Life: Hashable, CaseIterable {
  case unborn, background, inactive, active, dead

  var phase: LifecyclePhase {
    switch self {
    case .unborn: .unknown
    case .background: .background
    case .inactive: .inactive
    case .active: .active
    case .dead: .terminated
    }
  }

  /// Where a step leads from each life; what is not there is impossible.
  static let table: [(step: LifecycleStep, lives: [Life: Life])] = [
    (.launch, [.unborn: .background, .dead: .background]),
    (.relaunch, [.dead: .background]),
    (.becomeActive, [.background: .active, .inactive: .active]),
    (.resignActive, [.active: .inactive]),
    (.enterBackground, [.active: .background, .inactive: .background]),
    (.enterForeground, [.background: .active]),
    (
      .background(for: .seconds(3), deviceAsleep: .seconds(1)),
      [.active: .active, .inactive: .active]
    ),
    (.duplicate(.didBecomeActive), [.active: .active]),
    (.duplicate(.didEnterBackground), [.background: .background]),
    (.memoryWarning, [.background: .background, .inactive: .inactive, .active: .active]),
    (
      .send(.willResignActive),
      [.background: .background, .inactive: .inactive, .active: .inactive]
    ),
    (.terminate, [.background: .dead, .inactive: .dead, .active: .dead]),
    (.kill, [.background: .dead, .inactive: .dead, .active: .dead]),
    (
      .stopProcess(for: .seconds(1)),
      [.background: .background, .inactive: .inactive, .active: .active]
    ),
    (
      .restartDevice(for: .seconds(1)),
      [.unborn: .unborn, .background: .dead, .inactive: .dead, .active: .dead, .dead: .dead]
    ),
    (.advance(by: .milliseconds(700)), Dictionary(uniqueKeysWithValues: zip(allCases, allCases))),
    (.setWallClock(by: .seconds(-7)), Dictionary(uniqueKeysWithValues: zip(allCases, allCases))),
  ]
}
