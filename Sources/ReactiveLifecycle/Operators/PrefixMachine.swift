/// Passes everything on until the bus says that it is enough.
struct PrefixMachine: OperatorMachine {
  var inlet = Inlet()
  var outlet = Outlet()

  /// The listener hears only the kinds that end the stream.
  mutating func hear(_ delivered: DeliveredState) -> OperatorStep { finish(keepsWaiting: true) }

  mutating func busDidEnd() -> OperatorStep { finish(keepsWaiting: true) }

  mutating func receiveValue(from number: Int, at delivered: DeliveredState?) -> OperatorStep? {
    guard inlet.take(from: number) else { return nil }
    outlet.append()
    return OperatorStep(call: outlet.begin())
  }

  mutating func receive(_ ending: Outlet.Ending, from number: Int) -> OperatorStep {
    guard inlet.complete(number) else { return OperatorStep() }
    outlet.complete(ending)
    return OperatorStep(upstream: .release, call: outlet.begin())
  }
}
