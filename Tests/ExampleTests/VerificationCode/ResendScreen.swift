import Foundation
import LifecycleCountdowns
import LifecycleTesting
import ProgramReporting
import ReactiveLifecycle
import VerificationCode

/// The resend button in a scripted process, whose launches read what the launch before has stored.
@MainActor
final class ResendScreen {
  private(set) var lifecycle: ScriptedLifecycle!
  private(set) var viewModel: ResendViewModel!
  /// What the screen has shown, in all launches.
  private(set) var shown: LifecycleRecorder<String, Never>!
  private(set) var storeCount = 0
  /// What the next launch reads.
  private var stored: Data?
  private var seconds: Int

  /// A launch in the foreground.
  init(seconds: Int) {
    self.seconds = seconds
    lifecycle = ScriptedLifecycle { [unowned self] in try launch(in: $0) }
    shown = lifecycle.recorder(of: String.self, as: "shown")
    lifecycle.perform(.launch, .becomeActive)
    viewModel.appear()
  }

  /// Kills the process, and launches it in the foreground after these steps.
  func relaunch(seconds: Int = 60, after steps: LifecycleStep...) {
    self.seconds = seconds
    shown.takeElements()
    lifecycle.perform([.kill] + steps + [.relaunch, .becomeActive])
    viewModel.appear()
  }

  private func launch(in process: ScriptedLifecycle) throws {
    let record = try stored.map { try JSONDecoder().decode(Countdown.Record.self, from: $0) }
    viewModel = ResendViewModel(
      seconds: seconds,
      restoring: record,
      on: process.bus
    ) { [unowned self] in
      stored = try? JSONEncoder().encode($0)
      storeCount += 1
    }
    viewModel.onUpdate = { [unowned self] in shown.record(Self.description(of: $0)) }
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
