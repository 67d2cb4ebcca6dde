import ReactiveLifecycle

/// What the subscriptions of one duty cycle, upstream's and rests, have in common.
final class DutyCycleShell: Sendable {
  typealias OnRest = @MainActor @Sendable (DutyCycle.Rest) -> Void

  let cycle: DutyCycle
  let core: BusCore
  let tasks: BackgroundTaskCoordinator
  let meter: DutyCycleMeter?
  let onRest: OnRest
  let site: CallSite

  init(
    _ cycle: DutyCycle,
    _ core: BusCore,
    _ tasks: BackgroundTaskCoordinator,
    _ meter: DutyCycleMeter?,
    _ onRest: @escaping OnRest,
    _ site: CallSite
  ) {
    self.cycle = cycle
    self.core = core
    self.tasks = tasks
    self.meter = meter
    self.onRest = onRest
    self.site = site
  }
}
