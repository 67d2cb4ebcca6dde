import OpenCombineShim

/// A subscriber whose type is forgotten.
///
/// OpenCombine's `AnySubscriber` does the same, at three times the cost of a call.
struct Downstream<Output> {
  let receive: (Output) -> Subscribers.Demand
  let finish: () -> Void

  init(_ subscriber: some Subscriber<Output, Never>) {
    receive = { subscriber.receive($0) }
    finish = { subscriber.receive(completion: .finished) }
  }
}
