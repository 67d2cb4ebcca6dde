import CustomDump
import Foundation
import JobControl
import LifecycleSystem
import ReactiveLifecycle
import Testing

@testable import lifecycle_monitor

@Suite("Monitor: what is recorded of a command")
struct CommandLifeMachineTests {
  private typealias Machine = CommandLifeMachine

  @Test("Without a terminal, a stop is recorded as a pause with its duration")
  func silentStop() {
    for signal in [SIGSTOP, SIGTSTP] {
      expectNoDifference(
        actions(
          .started(isForeground: true),
          .status(.stopped(signal), isForeground: true, isJob: false),
          .status(.continued, isForeground: true, isJob: false)
        ),
        [
          .send(.didBecomeActive), .note("stopped by \(signalName(signal))"), .note("continued"),
          .send(
            .processWasPaused,
            metadata: ["pauseCause": "stopped", "timePaused": "1 s"]
          ),
        ]
      )
    }
  }

  @Test("A continuation that the kernel did not report is recorded before the end")
  func unnoticedContinuation() {
    let stopped = Machine.Observation.status(.stopped(SIGSTOP), isForeground: true)
    expectNoDifference(
      actions(.started(isForeground: true), stopped, .status(.exited(0), isForeground: true))
        .suffix(5),
      [
        .note("continued"), .send(.didBecomeActive), .note("exited with 0"), .send(.willTerminate),
        .finish(.exited(0)),
      ]
    )
    expectNoDifference(
      actions(.started(isForeground: true), stopped, stopped).suffix(5),
      [
        .note("continued"), .send(.didBecomeActive), .note("stopped by SIGSTOP"),
        .send(.didEnterBackground), .stop(by: SIGTSTP),
      ]
    )
    expectNoDifference(
      actions(
        .started(isForeground: true),
        stopped,
        .status(.signaled(SIGKILL), isForeground: true)
      )
      .suffix(2),
      [.note("killed by SIGKILL"), .finish(.signaled(SIGKILL))]
    )
  }

  @Test("SIGTERM, SIGINT, and SIGHUP are recorded as a termination, SIGSEGV is not")
  func endBySignal() {
    for (signal, isTermination) in [
      (SIGTERM, true), (SIGINT, true), (SIGHUP, true), (SIGSEGV, false),
    ] {
      let ending = actions(
        .started(isForeground: true),
        .status(.signaled(signal), isForeground: true)
      )
      expectNoDifference(ending.contains(.send(.willTerminate)), isTermination)
      expectNoDifference(ending.last, .finish(.signaled(signal)))
    }
  }

  /// The foreground alternates; this process stops with the command if they are a job; the end is
  /// the last.
  @Test("Every sequence of observations makes a legal life")
  func everySequence() {
    let letters: [Machine.Observation] = [
      .terminal(isForeground: true), .terminal(isForeground: false),
      .status(.stopped(SIGTSTP), isForeground: true),
      .status(.stopped(SIGSTOP), isForeground: false),
      .status(.stopped(SIGSTOP), isForeground: true, isJob: false),
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
      for isForeground in [true, false] {
        var machine = Machine()
        var position: Bool?
        let observations = [.started(isForeground: isForeground)] + sequence
        for (second, observation) in observations.enumerated() {
          let actions = machine.take(observation, at: .boot + .seconds(second))
          let hasStopped = actions.contains(.stop(by: SIGTSTP))
          expectNoDifference(hasStopped, isStopOfJob(observation), "\(sequence)")
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
            case .finish: expectNoDifference(observation, letters.last, "\(sequence)")
            default: break
            }
          }
        }
      }
    }
  }

  private func isStopOfJob(_ observation: Machine.Observation) -> Bool {
    if case .status(.stopped, _, isJob: true) = observation { true } else { false }
  }

  /// Returns what the machine does, a second after the other.
  private func actions(_ observations: Machine.Observation...) -> [Machine.Action] {
    var machine = Machine()
    return observations.enumerated().flatMap { second, observation in
      machine.take(observation, at: .boot + .seconds(second))
    }
  }
}
