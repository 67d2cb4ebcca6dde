public import LifecycleCombine

/// A stream of a bus. Values are delivered where the bus delivers, in the bus's one order; demand is
/// honoured, and what was not asked for yet is kept.
///
/// It does not keep the bus alive: it finishes when the bus is released.
///
/// A `Subscribers.Sink`, which is what `sink` makes, is asked for its closure once, when it
/// subscribes. One that is made by hand must not be completed by hand or given to a second publisher.
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
