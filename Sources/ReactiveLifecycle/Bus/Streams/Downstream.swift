import LifecycleCombine

/// A subscriber whose type is forgotten, but by the closures, which so have nothing to look up.
struct Downstream<Output> {
  let receive: (Output) -> Subscribers.Demand
  let finish: () -> Void

  init(receive: @escaping (Output) -> Subscribers.Demand, finish: @escaping () -> Void) {
    self.receive = receive
    self.finish = finish
  }

  init(_ subscriber: some Subscriber<Output, Never>) {
    if let sink = subscriber as? Subscribers.Sink<Output, Never> {
      // What the sink itself would call, after taking a lock for every value. That holds unless the
      // sink is given to another publisher too, or changed: see `LifecyclePublisher`.
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
