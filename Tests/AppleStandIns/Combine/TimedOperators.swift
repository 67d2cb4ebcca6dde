extension Publisher {
  public func debounce<S: Scheduler>(
    for dueTime: S.SchedulerTimeType.Stride,
    scheduler: S,
    options: S.SchedulerOptions? = nil
  ) -> Publishers.Debounce<Self, S> {
    fatalError()
  }

  public func delay<S: Scheduler>(
    for interval: S.SchedulerTimeType.Stride,
    tolerance: S.SchedulerTimeType.Stride? = nil,
    scheduler: S,
    options: S.SchedulerOptions? = nil
  ) -> Publishers.Delay<Self, S> {
    fatalError()
  }

  public func throttle<S: Scheduler>(
    for interval: S.SchedulerTimeType.Stride,
    scheduler: S,
    latest: Bool
  ) -> Publishers.Throttle<Self, S> {
    fatalError()
  }
}

extension Publishers {
  public struct Debounce<Upstream: Publisher, Context: Scheduler>: PublisherOfUpstream {}
  public struct Delay<Upstream: Publisher, Context: Scheduler>: PublisherOfUpstream {}
  public struct Throttle<Upstream: Publisher, Context: Scheduler>: PublisherOfUpstream {}
}
