extension LifecycleDiagnostics: CustomStringConvertible {
  /// The diagnostics in one line, without empty parts: `active; application active; ceiling
  /// source(lock) active; 3 live subscriptions; suppressed 2 duplicate; delivering to
  /// Screen.swift:12`.
  public var description: String {
    var parts = ["\(phase)"]
    if !participants.isEmpty {
      parts.append(participants.map { "\($0.name) \($0.phase)" }.joined(separator: ", "))
    }
    parts += ceilings.map { "ceiling \($0.source.origin) \($0.phase)" }
    let count = liveSubscriptions.count
    parts.append("\(count) live subscription\(count == 1 ? "" : "s")")
    let suppressed = SuppressedInput.Reason.allCases.compactMap { reason in
      suppressedCounts[reason].flatMap { $0 > 0 ? "\($0) \(reason)" : nil }
    }
    if !suppressed.isEmpty { parts.append("suppressed \(suppressed.joined(separator: ", "))") }
    if let runningObserver {
      parts.append("delivering to \(runningObserver)")
    } else if isDelivering {
      parts.append("delivering")
    }
    return parts.joined(separator: "; ")
  }
}
