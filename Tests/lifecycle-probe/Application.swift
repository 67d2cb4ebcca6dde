import ArgumentParser
import Dispatch
import Foundation
import LifecycleSources
import LifecycleTesting
import ReactiveLifecycle

/// Uses `LifecycleBus.application` for the first time, and prints what comes of it.
struct Application: ParsableCommand {
  enum FirstUse: String, ExpressibleByArgument {
    case main, elsewhere, observer, injected, live, withoutDescriptors
  }

  @Argument var firstUse: FirstUse

  func run() {
    switch firstUse {
    case .main:
      report("main", LifecycleBus.application)
    case .elsewhere:
      // The main thread is blocked meanwhile.
      let isDone = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        report("elsewhere", LifecycleBus.application)
        isDone.signal()
      }
      isDone.wait()
      report("main", LifecycleBus.application)
    case .observer:
      let bus = NonisolatedLifecycleBus()
      let token = bus.addObserver { report("\($0.kind)", LifecycleBus.application) }
      bus.send(.didFinishLaunching)
      token.cancel()
    case .injected:
      let before = currentDispositions()
      let bus = LifecycleBus(clock: ManualClock())
      LifecycleBus.withApplication(bus) {
        LifecycleBus.application.send(.didFinishLaunching)
        report("injected", LifecycleBus.application)
      }
      print("untouched: \(currentDispositions() == before)")
      report("outside", LifecycleBus.application)
      print("untouched: \(currentDispositions() == before)")
    case .live:
      LifecycleBus.withApplication(.liveApplication) { report("live", .application) }
    case .withoutDescriptors:
      setSoftLimit(RLIMIT_NOFILE, to: 3)
      report("main", LifecycleBus.application)
      LifecycleBus.application.send(.didFinishLaunching)
      report("sent", LifecycleBus.application)
    }
  }
}

private func report(_ text: String, _ bus: LifecycleBus) {
  let sources = bus.diagnostics.participants.flatMap(\.sources)
  let words = sources.map { "\($0.origin) \($0.lastInput.map { "\($0.kind)" } ?? "-")" }
  print("\(text): \(bus.phase), \(words.joined(separator: ", "))")
}
