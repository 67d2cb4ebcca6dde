/// What a scenario leaves behind: the calls to check, and everything that it keeps alive.
struct Performance {
  private let expectations: [Expectation]
  private let held: Any

  /// The calls that some observers must have got, each.
  struct Expectation {
    let name: String
    let tallies: ArraySlice<Tally>
    let calls: Int

    init(_ name: String, _ tallies: ArraySlice<Tally>, calls: Int) {
      self.name = name
      self.tallies = tallies
      self.calls = calls
    }
  }

  init(holding held: Any, _ expectations: Expectation...) {
    self.expectations = expectations
    self.held = held
  }

  /// The first observer that was called too often or too seldom.
  var fault: String? {
    for expectation in expectations {
      for (index, tally) in expectation.tallies.enumerated() where tally.calls != expectation.calls
      {
        return "\(expectation.name) \(index) was called \(tally.calls) times, "
          + "not \(expectation.calls) times."
      }
    }
    return nil
  }
}
