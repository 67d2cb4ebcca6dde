/// A count beside what was saved and what was promised.
package struct Comparison: Equatable, Sendable {
  /// How a count compares with the saved one.
  package enum Verdict: String, Sendable {
    case same
    case improved = "improved: save it"
    case regressed = "REGRESSED"
    case unsaved = "NOT SAVED"
  }

  package var scenario: Scenario
  package var quantity: Quantity
  package var saved: Double?
  package var now: Double

  package init(_ scenario: Scenario, _ quantity: Quantity, saved: Double?, now: Double) {
    self.scenario = scenario
    self.quantity = quantity
    self.saved = saved
    self.now = now
  }

  /// How the count compares with the saved one.
  package var verdict: Verdict {
    guard let saved else { return .unsaved }
    if now > saved * (1 + quantity.tolerance) { return .regressed }
    return now < saved * (1 - quantity.tolerance) ? .improved : .same
  }

  /// What the project has promised.
  package var limit: Double? { scenario.limit(of: quantity) }

  /// Whether the count breaks the promise.
  package var isOverLimit: Bool {
    limit.map { now > $0 } ?? false
  }

  /// What is worth saying about the count.
  package var remarks: String {
    [verdict == .same ? nil : verdict.rawValue, isOverLimit ? "OVER LIMIT" : nil]
      .compactMap { $0 }.joined(separator: ", ")
  }

  /// Whether the check fails for it.
  package var fails: Bool {
    isOverLimit || verdict == .regressed || verdict == .unsaved
  }
}
