import ArgumentParser
import Foundation
import LifecycleCore
import LifecycleProcess
import LifecycleSupport
import TestSupport

/// The probe's connection to the process's signals, which can be made anew.
final class ProbeConnection: Sendable {
  private let make: @Sendable () throws -> LifecycleCancellable
  private let current = Locked<LifecycleCancellable?>(nil)

  init(_ make: @escaping @Sendable () throws -> LifecycleCancellable) {
    self.make = make
  }

  /// Connects; the phase that is found is reported before this returns on the bus' own thread.
  func connect() throws {
    let connection = try make()
    current.withLock { $0 = connection }
  }

  func cancel() {
    current.withLock { $0 }?.cancel()
  }
}

/// What an observer of exit requests answers.
enum ProbeAnswer: String, ExpressibleByArgument {
  case exit, cancel

  /// `cancel`, after a tenth of a second, unless it is cancelled itself.
  case cancelLate

  /// Nothing, until it is cancelled.
  case never
}

/// The answers of the probe, one after the other.
final class ProbeAnswers: Sendable {
  private let answers: Locked<[ProbeAnswer]>

  init(_ answers: [ProbeAnswer]) {
    self.answers = Locked(answers)
  }

  func answer(_ request: LifecycleExitRequest) async -> LifecycleExitRequest.Response {
    let answer = answers.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
    emit(.exitRequest(request.metadata["signal"] ?? "", answer: answer.rawValue))
    switch answer {
    case .exit: return .exit
    case .cancel: return .cancel
    case .cancelLate:
      do {
        try await Task.sleep(for: .milliseconds(100))
      } catch {
        return .exit
      }
      emit(.exitRequest(request.metadata["signal"] ?? "", answer: "cancel"))
      return .cancel
    case .never:
      try? await Task.sleep(for: .seconds(1_000_000))
      emit(.exitRequestWithdrawn)
      return .exit
    }
  }
}

/// Another bus of the probe, which is connected after the first, and the choices of its connection.
struct OtherBus: ParsableArguments {
  @Option(help: "Connects another bus, after the first, with a source that takes this signal.")
  var alsoTaking: [SignalName] = []

  @Option(help: "Who ends the process, by the choice of the other bus.")
  var otherTermination = Observe.Termination.reraise

  @Option(help: "The deadline of the other bus; by default that of the first.")
  var otherDeadline: Int?

  @Option(help: "How long observers may take to answer, by the choice of the other bus.")
  var otherAsking: Int?

  @Option(
    name: .customLong("other-answer"),
    help: "What an observer of exit requests of the other bus answers."
  )
  var otherAnswers: [ProbeAnswer] = []

  @Flag(help: "An observer of `didEnterBackground` of the other bus never returns.")
  var otherHangs = false

  /// Connects the bus, and returns what is to be kept; nil if there is no such bus.
  func connect(deadline: Int) throws -> Any? {
    guard !alsoTaking.isEmpty else { return nil }
    let (bus, scope) = (NonisolatedLifecycleBus(), LifecycleScope("other"))
    if otherHangs {
      bus.addObserver(for: .didEnterBackground, in: scope) { _ in while true { sleep(1_000) } }
    }
    bus.addObserver(in: scope) { event in emit(.event(event)) }
    if !otherAnswers.isEmpty {
      bus.onExitRequest(in: scope) { [answers = ProbeAnswers(otherAnswers)] request in
        await answers.answer(request)
      }
    }
    let source = ProcessSignalSource.processSignals(
      taking: SignalName.set(alsoTaking),
      deadline: .milliseconds(otherDeadline ?? deadline),
      asking: otherAsking.map { .milliseconds($0) },
      termination: otherTermination.choice
    ) {
      emit(.overrun($0.description))
    }
    return (bus, scope, try bus.connect(source))
  }
}
