public import LifecycleCombine

/// A stream of a bus.
///
/// Values are delivered where the bus delivers, in the bus's one order. Demand is honored, and
/// values that were not requested yet are kept; of ``LifecycleBusProtocol/phases``, the latest one,
/// unless it is the one that was received last.
///
/// The publisher does not keep the bus alive: it finishes when the bus is released.
///
/// The closure of a `Subscribers.Sink`, which `sink` makes, is read once, when the sink subscribes.
/// A sink that is made by hand must not be completed by hand or given to a second publisher.
public struct LifecyclePublisher<Output>: Publisher, Sendable {
  public typealias Failure = Never

  let core: LifecycleBusCore
  let stream: EventStream<Output>
  var catchUp = LifecycleCatchUp.nothing
  var site: CallSite?

  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Never {
    let row = stream.makeRow(core, stream.kinds, site, .init(subscriber))
    core.listen(row, catchUp: catchUp) { row.attach(to: subscriber) }
  }
}
