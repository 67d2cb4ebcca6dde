import ArgumentParser
import Dispatch
import LifecycleCombine
import LifecycleCountdowns
import LifecycleSources
import LifecycleSupport
import ReactiveLifecycle

/// Starts a countdown of a twentieth of a second at each stop, and prints its end and the next
/// opening.
struct ExpiringSession: ParsableCommand {
  @Argument(transform: { Countdown.BackgroundBehavior(rawValue: $0) ?? .catchUp })
  var behavior: Countdown.BackgroundBehavior

  func run() {
    MainActor.assumeIsolated {
      let (bus, scope) = (LifecycleBus.application, LifecycleScope("session"))
      bus.onOpen(in: scope, catchUp: .nothing) { _ in printLine("request") }
      let session = Countdown(.milliseconds(50), of: bus, inBackground: behavior)
      session.ends.sink { _ in printLine("sign out \(bus.phase)") }.store(in: scope)
      bus.addObserver(for: .didEnterBackground, in: scope) { _ in session.restart() }
      printLine("ready")
      withExtendedLifetime((scope, session)) { dispatchMain() }
    }
  }
}
