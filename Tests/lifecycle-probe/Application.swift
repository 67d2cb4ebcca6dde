import ArgumentParser
import Dispatch
import Foundation
import LifecycleCombine
import LifecycleCountdowns
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle

/// Uses `LifecycleBus.application` for the first time, and prints what comes of it.
struct Application: ParsableCommand {
  enum FirstUse: String, ExpressibleByArgument {
    case main, elsewhere, observer, injected, saving, withoutDescriptors
  }

  @Argument var firstUse: FirstUse

  @Argument(help: "The number of descriptors that `withoutDescriptors` leaves.")
  var descriptors = 0

  func run() {
    switch firstUse {
    case .main:
      report("main", LifecycleBus.application)
      print("is live: \(LifecycleBus.application === LifecycleBus.liveApplication)")
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
    case .saving:
      let save = LifecycleBus.application.addObserver(for: .willTerminate) { _ in print("saved") }
      printLine("ready")
      withExtendedLifetime(save) { dispatchMain() }
    case .withoutDescriptors:
      setSoftLimit(RLIMIT_NOFILE, to: rlim_t(3 + descriptors))
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

/// Starts a countdown of a twentieth of a second at each stop, and prints its end and the next
/// opening.
struct ExpiringSession: ParsableCommand {
  @Argument(transform: { Countdown.BackgroundBehavior(rawValue: $0) ?? .catchUp })
  var behavior: Countdown.BackgroundBehavior

  func run() {
    MainActor.assumeIsolated {
      let (bus, scope) = (LifecycleBus.application, LifecycleScope("session"))
      bus.onOpen(in: scope, initial: false) { _ in printLine("request") }
      let session = Countdown(.milliseconds(50), of: bus, inBackground: behavior)
      session.ends.sink { _ in printLine("sign out \(bus.phase)") }.store(in: scope)
      bus.addObserver(for: .didEnterBackground, in: scope) { _ in session.restart() }
      printLine("ready")
      withExtendedLifetime((scope, session)) { dispatchMain() }
    }
  }
}
