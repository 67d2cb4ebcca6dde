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

  public func timeout<S: Scheduler>(
    _ interval: S.SchedulerTimeType.Stride,
    scheduler: S,
    options: S.SchedulerOptions? = nil,
    customError: (() -> Failure)? = nil
  ) -> Publishers.Timeout<Self, S> {
    fatalError()
  }

  public func receive<S: Scheduler>(
    on scheduler: S,
    options: S.SchedulerOptions? = nil
  ) -> Publishers.ReceiveOn<Self, S> {
    fatalError()
  }

  public func subscribe<S: Scheduler>(
    on scheduler: S,
    options: S.SchedulerOptions? = nil
  ) -> Publishers.SubscribeOn<Self, S> {
    fatalError()
  }
}

extension Publishers {
  public struct Debounce<Upstream: Publisher, Context: Scheduler>: PublisherOfUpstream {}
  public struct Delay<Upstream: Publisher, Context: Scheduler>: PublisherOfUpstream {}
  public struct Throttle<Upstream: Publisher, Context: Scheduler>: PublisherOfUpstream {}
  public struct Timeout<Upstream: Publisher, Context: Scheduler>: PublisherOfUpstream {}
  public struct ReceiveOn<Upstream: Publisher, Context: Scheduler>: PublisherOfUpstream {}
  public struct SubscribeOn<Upstream: Publisher, Context: Scheduler>: PublisherOfUpstream {}
}
