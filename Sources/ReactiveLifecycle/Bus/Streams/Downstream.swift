import LifecycleCombine

/// A type-erased subscriber. Only the closures know its type, so a call has no metadata to look up.
struct Downstream<Output> {
  let receive: (Output) -> Subscribers.Demand
  let finish: () -> Void

  init(receive: @escaping (Output) -> Subscribers.Demand, finish: @escaping () -> Void) {
    self.receive = receive
    self.finish = finish
  }

  init(_ subscriber: some Subscriber<Output, Never>) {
    if let sink = subscriber as? Subscribers.Sink<Output, Never> {
      // The closure that the sink itself would call, after taking a lock for every value. It stays
      // the same unless the sink is also given to another publisher, or changed: see
      // `LifecyclePublisher`.
      let receiveValue = sink.receiveValue
      receive = {
        receiveValue($0)
        return .none
      }
    } else {
      receive = { subscriber.receive($0) }
    }
    finish = { subscriber.receive(completion: .finished) }
  }
}
