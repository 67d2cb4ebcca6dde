import ReactiveLifecycle

/// The parameters that all subscriptions of a duty cycle share, both upstream subscriptions and
/// rests.
final class DutyCycleShell: Sendable {
  typealias OnRest = @MainActor @Sendable (DutyCycle.Rest) -> Void

  let cycle: DutyCycle
  let core: LifecycleBusCore
  let tasks: BackgroundTaskCoordinator
  let meter: DutyCycleMeter?
  let onRest: OnRest
  let site: CallSite

  init(
    cycle: DutyCycle,
    core: LifecycleBusCore,
    tasks: BackgroundTaskCoordinator,
    meter: DutyCycleMeter?,
    site: CallSite,
    onRest: @escaping OnRest
  ) {
    self.cycle = cycle
    self.core = core
    self.tasks = tasks
    self.meter = meter
    self.site = site
    self.onRest = onRest
  }
}
