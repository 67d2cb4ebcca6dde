import OpenCombineShim

/// Passes everything on until the bus says that it is enough.
struct PrefixMachine<Element: Sendable, Failure: Error>: OperatorMachine {
  typealias Step = OperatorStep<Element, Failure>

  var inlet = Inlet()
  var outlet = Outlet<Element, Failure>()

  /// The listener hears only the kinds that end the stream.
  mutating func hear(_ delivered: DeliveredState) -> Step { finish(keepsWaiting: true) }

  mutating func busDidEnd() -> Step { finish(keepsWaiting: true) }

  mutating func receive(
    _ element: Element,
    from number: Int,
    at delivered: DeliveredState?
  ) -> Step {
    guard inlet.take(from: number) else { return Step(dropped: [element]) }
    outlet.append(element)
    return Step(call: outlet.begin())
  }

  mutating func receive(_ completion: Subscribers.Completion<Failure>, from number: Int) -> Step {
    guard inlet.complete(number) else { return Step() }
    outlet.complete(completion)
    return Step(upstream: .release, call: outlet.begin())
  }
}
