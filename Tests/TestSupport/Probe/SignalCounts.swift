/// Who received the signals that the probe has sent itself.
public struct SignalCounts: Codable, Hashable, Sendable {
  public var sent: Int
  public var byBus: Int
  /// By the handler that the program had installed before.
  public var byHandler: Int

  public init(sent: Int, byBus: Int, byHandler: Int) {
    self.sent = sent
    self.byBus = byBus
    self.byHandler = byHandler
  }
}
