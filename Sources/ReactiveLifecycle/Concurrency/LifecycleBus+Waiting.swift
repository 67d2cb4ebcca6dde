extension LifecycleBus {
  /// Like ``LifecycleBusProtocol/repeatWhile(_:fileID:filePath:line:column:_:)``; the closure runs
  /// on the main actor.
  ///
  /// ```swift
  /// try await bus.repeatWhile(.atLeast(.active)) {
  ///   for await reading in sensor.readings { show(reading) }
  /// }
  /// ```
  @MainActor
  public consuming func repeatWhile(
    _ condition: LifecyclePhase.Condition,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ body: @escaping @MainActor () async throws -> Void
  ) async throws {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let core = (consume self).core
    try await core.repeatWhile(condition, site: site, body)
  }

  /// Like ``LifecycleBusProtocol/perform(when:fileID:filePath:line:column:_:)``; the closure runs
  /// on the main actor.
  ///
  /// ```swift
  /// try await bus.perform(when: .atMost(.background)) { try document.save() }
  /// ```
  @MainActor
  public consuming func perform<Value: Sendable>(
    when condition: LifecyclePhase.Condition,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ body: @escaping @MainActor () throws -> Value
  ) async throws -> Value {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let core = (consume self).core
    return try await core.perform(when: condition, site: site, onMainActor(body))
  }
}
