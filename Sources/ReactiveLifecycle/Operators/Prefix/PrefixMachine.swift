/// A state machine that passes values on until one of the events.
struct PrefixMachine: OperatorMachine {
  var upstream = UpstreamState()
  var downstream = DownstreamState()

  /// The machine receives only the kinds that end the stream.
  mutating func receiveState(_ delivered: DeliveredState) -> OperatorStep {
    finish(keepsWaiting: true)
  }

  mutating func busDidEnd() -> OperatorStep { finish(keepsWaiting: true) }
}
