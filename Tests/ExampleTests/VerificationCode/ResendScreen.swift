import Foundation
import LifecycleCountdowns
import LifecycleTesting
import ProgramReporting
import ReactiveLifecycle
import VerificationCode

/// The resend button in virtual time, in a process that can be killed and launched again. It keeps a
/// transcript of what the screen showed, and what was stored.
@MainActor
final class ResendScreen {
  let clock: ManualClock
  let bus: LifecycleBus
  private(set) var viewModel: ResendViewModel!
  /// What the next launch reads, and how often it was written.
  private(set) var stored: Data?
  private(set) var storeCount = 0
  private var shown: [String] = []

  /// A launch in the foreground, with what a launch before has stored, on a clock that goes on.
  init(seconds: Int, stored: Data? = nil, clock: ManualClock = ManualClock()) throws {
    self.clock = clock
    self.stored = stored
    bus = LifecycleBus(clock: clock)
    let record = try stored.map { try JSONDecoder().decode(Countdown.Record.self, from: $0) }
    viewModel = ResendViewModel(seconds: seconds, restoring: record, on: bus) { [unowned self] in
      self.stored = try? JSONEncoder().encode($0)
      storeCount += 1
    }
    viewModel.onUpdate = { [unowned self] in shown.append(Self.description(of: $0)) }
    bus.send(.didBecomeActive)
    viewModel.appear()
  }

  /// Kills the process, and launches it after a time.
  func relaunched(
    seconds: Int = 60,
    after time: Duration,
    boot: BootID? = nil,
    wallShift: Duration = .zero
  ) throws -> ResendScreen {
    // The clocks go on elsewhere: nothing happens any more in the process that was killed.
    let now = clock.now
    let instant = LifecycleInstant(
      continuous: boot == nil ? now.continuous + time : .boot + .seconds(30),
      timeAwake: boot == nil ? now.timeAwake + time : .seconds(30),
      timeSince1970: now.timeSince1970 + time + wallShift
    )
    let next = ManualClock(instant, bootID: boot ?? clock.bootID)
    return try ResendScreen(seconds: seconds, stored: stored, clock: next)
  }

  /// What the screen has shown since it was last asked.
  func takeShown() -> [String] {
    defer { shown = [] }
    return shown
  }

  func enterBackground() {
    bus.send(.willResignActive)
    bus.send(.didEnterBackground)
  }

  func enterForeground() {
    bus.send(.willEnterForeground)
    bus.send(.didBecomeActive)
  }

  private static func description(of update: CountdownDisplay.Update) -> String {
    switch update {
    case .tick(let remaining, true): "\(remaining)"
    case .tick(let remaining, false): "\(remaining)?"
    case .returned(let stay): "away \(stay.duration)"
    case .finished: "finished"
    }
  }
}
