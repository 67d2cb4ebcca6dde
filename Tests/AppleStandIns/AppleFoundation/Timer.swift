import Combine

@_exported import class Foundation.Timer

extension RunLoop {
  public struct SchedulerOptions {}
}

extension Timer {
  public static func publish(
    every interval: TimeInterval,
    tolerance: TimeInterval? = nil,
    on runLoop: RunLoop,
    in mode: RunLoop.Mode,
    options: RunLoop.SchedulerOptions? = nil
  ) -> Timer.TimerPublisher {
    fatalError()
  }

  public final class TimerPublisher: ConnectablePublisher {
    public typealias Output = Date
    public typealias Failure = Never
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      fatalError()
    }
    public func connect() -> any Cancellable { fatalError() }
  }
}
