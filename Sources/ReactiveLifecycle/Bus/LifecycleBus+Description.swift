// For debuggers and `print`, not for custom-dump, which writes the parts of a bus.

extension LifecycleBus: CustomDebugStringConvertible {
  /// The bus with its ``LifecycleBusProtocol/diagnostics`` in one line.
  public nonisolated var debugDescription: String { "LifecycleBus(\(core.diagnostics))" }
}

extension NonisolatedLifecycleBus: CustomDebugStringConvertible {
  /// The bus with its ``LifecycleBusProtocol/diagnostics`` in one line.
  public var debugDescription: String { "NonisolatedLifecycleBus(\(core.diagnostics))" }
}
