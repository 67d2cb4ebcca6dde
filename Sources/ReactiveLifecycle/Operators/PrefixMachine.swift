/// Passes everything on until the bus says that it is enough.
struct PrefixMachine: OperatorMachine {
  var inlet = Inlet()
  var outlet = Outlet()

  /// The listener hears only the kinds that end the stream.
  mutating func hear(_ delivered: DeliveredState) -> OperatorStep { finish(keepsWaiting: true) }

  mutating func busDidEnd() -> OperatorStep { finish(keepsWaiting: true) }
}
