import ArgumentParser
import Foundation
import LifecycleSources
import ReactiveLifecycle
import TestSupport

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
      termination: otherTermination.choice(asking: otherAsking)
    ) {
      emit(.overrun($0.description))
    }
    return (bus, scope, try bus.connect(source))
  }
}
