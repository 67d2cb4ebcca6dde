import CustomDump
import Foundation
import JobControl
import LifecycleSystem
import ReactiveLifecycle
import Testing

@testable import lifecycle_monitor

@Suite("Life of a command from outside")
struct CommandLifeMachineTests {
  private typealias Machine = CommandLifeMachine

  @Test("Ctrl-Z and fg are a stay in the background, and the recorder stops with the command")
  func stopByTerminal() {
    expectNoDifference(
      actions(
        .started(isForeground: true),
        .suspendKey,
        .status(.stopped(SIGTSTP), isForeground: true),
        .status(.continued, isForeground: true),
        .status(.exited(3), isForeground: true)
      ),
      [
        .send(.didBecomeActive), .note("stopped by SIGTSTP"), .send(.didEnterBackground),
        .stop(by: SIGTSTP), .note("continued"), .send(.didBecomeActive), .note("exited with 3"),
        .send(.willTerminate), .finish(3),
      ]
    )
  }

  @Test("After bg it is in the background, until the terminal comes back")
  func continuedInBackground() {
    expectNoDifference(
      actions(
        .started(isForeground: false),
        .terminal(isForeground: false),
        .terminal(isForeground: true),
        .terminal(isForeground: true),
        .status(.stopped(SIGTTIN), isForeground: true),
        .status(.continued, isForeground: false),
        .terminal(isForeground: true)
      ),
      [
        .send(.didFinishLaunching), .send(.didBecomeActive), .note("stopped by SIGTTIN"),
        .send(.didEnterBackground), .stop(by: SIGTTIN), .note("continued"),
        .send(.didBecomeActive),
      ]
    )
  }

  @Test("A SIGSTOP is a pause, with its time; the recorder goes on")
  func silentStop() {
    expectNoDifference(
      actions(
        .started(isForeground: true),
        .status(.stopped(SIGSTOP), isForeground: true),
        .status(.continued, isForeground: true)
      ),
      [
        .send(.didBecomeActive), .note("stopped by SIGSTOP"), .note("continued"),
        .send(
          .processWasPaused,
          metadata: ["pauseCause": "stopped", "timePaused": "1 s"]
        ),
      ]
    )
  }

  @Test("A continuation that the kernel did not report is recorded before the end")
  func unnoticedContinuation() {
    let stopped = Machine.Observation.status(.stopped(SIGSTOP), isForeground: true)
    expectNoDifference(
      actions(.started(isForeground: true), stopped, .status(.exited(0), isForeground: true))
        .prefix(3).suffix(1),
      [.note("continued")]
    )
    expectNoDifference(
      actions(
        .started(isForeground: true),
        stopped,
        .status(.signaled(SIGKILL), isForeground: true)
      )
      .suffix(2),
      [.note("killed by SIGKILL"), .finish(137)]
    )
  }

  @Test("Of the signals that end it, those that a process can see coming are its termination")
  func endBySignal() {
    for (signal, isTermination) in [
      (SIGTERM, true), (SIGINT, true), (SIGHUP, true), (SIGSEGV, false),
    ] {
      let ending = actions(
        .started(isForeground: true),
        .status(.signaled(signal), isForeground: true)
      )
      expectNoDifference(ending.contains(.send(.willTerminate)), isTermination)
      expectNoDifference(ending.last, .finish(128 + signal))
    }
  }

  /// The foreground alternates; this process stops only with the command, and by SIGSTOP only if
  /// that follows Ctrl-Z at once; the end is the last.
  @Test("Every sequence of observations makes a legal life")
  func everySequence() {
    let letters: [Machine.Observation] = [
      .suspendKey, .terminal(isForeground: true), .terminal(isForeground: false),
      .status(.stopped(SIGTSTP), isForeground: true),
      .status(.stopped(SIGSTOP), isForeground: false),
      .status(.continued, isForeground: true), .status(.continued, isForeground: false),
      .status(.exited(0), isForeground: true),
    ]
    var sequences: [[Machine.Observation]] = [[]]
    for _ in 0..<4 {
      let longest = sequences.filter { $0.count == sequences.last?.count }
      sequences += longest.filter { $0.last != letters.last }.flatMap { sequence in
        letters.map { sequence + [$0] }
      }
    }
    expectNoDifference(sequences.count, 1 + 8 + 7 * 8 + 49 * 8 + 343 * 8)
    for sequence in sequences {
      for (isForeground, step) in [(true, 0), (false, 0), (true, 2), (false, 2)] {
        var machine = Machine()
        var position: Bool?
        let observations = [.started(isForeground: isForeground)] + sequence
        for (index, observation) in observations.enumerated() {
          let isAnswer =
            step == 0
            && observations[..<index].reversed().prefix { !isStatus($0) }.contains(.suspendKey)
          let actions = machine.take(observation, at: .boot + .seconds(index * step))
          if observation == .status(.stopped(SIGSTOP), isForeground: false) {
            expectNoDifference(actions.contains(.stop(by: SIGSTOP)), isAnswer, "\(sequence)")
          }
          for action in actions {
            switch action {
            case .send(.didBecomeActive, _):
              #expect(position != true, "\(sequence)")
              position = true
            case .send(.didFinishLaunching, _):
              expectNoDifference(position, nil, "\(sequence)")
              position = false
            case .send(.didEnterBackground, _):
              expectNoDifference(position, true, "\(sequence)")
              position = false
            case .stop: #expect(isStop(observation), "\(sequence)")
            case .finish: expectNoDifference(observation, letters.last, "\(sequence)")
            default: break
            }
          }
        }
      }
    }
  }

  private func isStatus(_ observation: Machine.Observation) -> Bool {
    if case .status = observation { true } else { false }
  }

  private func isStop(_ observation: Machine.Observation) -> Bool {
    if case .status(.stopped, _) = observation { true } else { false }
  }

  /// Returns what the machine does, a second after the other.
  private func actions(_ observations: Machine.Observation...) -> [Machine.Action] {
    var machine = Machine()
    return observations.enumerated().flatMap { second, observation in
      machine.take(observation, at: .boot + .seconds(second))
    }
  }
}
